# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""docs/record.schema.json accepts what orchsink writes and little else."""

import copy
import json
import os
import sys
import unittest

try:
    import jsonschema
except ImportError:
    print('python3-jsonschema is not installed')
    sys.exit(77)

from recordstest import FolderTest, LIST, TREE, WORK


def load_validator():
    path = os.path.join(TREE, 'docs', 'record.schema.json')
    with open(path, encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class SchemaTest(FolderTest):
    """Records of real runs, and the same ones broken."""

    def setUp(self):
        super().setUp()
        self.validator = load_validator()

    def make_records(self, work=WORK, sink='', source='location=docs'):
        self.run_pipeline(f'orchsrc {source} ! {work} ! orchsink '
                          f'location=out.jsonl existing=overwrite {sink}')
        records = self.read_records()
        for record in records:
            self.validator.validate(record)
        return records

    def make_all_kinds(self):
        """A complete record, one with a failed part, one that failed."""
        self.write_documents(2)
        os.symlink('nowhere', self.path('docs', 'gone.pdf'))
        work = (f'{LIST} ! orchexpand ! orchcall function=test-work '
                'function::record=1/2 ! orchreduce on-failed=placeholder')
        return sorted(self.make_records(work), key=lambda r: r['path'])

    def test_real_records(self):
        complete, incomplete, failed = self.make_all_kinds()
        self.assertTrue(complete['complete'])
        self.assertEqual(incomplete['outcome'], 'present')
        self.assertFalse(incomplete['complete'])
        self.assertIsNone(incomplete['content'][2]['text'])
        self.assertEqual(failed['cause']['code'], 'not-found')

    def test_plain(self):
        self.write_documents(1)
        record, = self.make_records(sink='content-format=plain')
        self.assertEqual(record['content'], ['0/0', '0/1', '0/2'])

    def test_nested(self):
        self.write_documents(1)
        record, = self.make_records(
            f'{LIST} ! orchexpand ! {LIST} function::n=2 ! orchexpand ! '
            'orchreduce ! orchreduce', 'content-format=plain')
        self.assertEqual(record['content'], [['0/0/0', '0/0/1'],
                                             ['0/1/0', '0/1/1'],
                                             ['0/2/0', '0/2/1']])
        record, = self.make_records(
            f'{LIST} ! orchexpand ! {LIST} function::n=2 ! orchexpand ! '
            'orchreduce ! orchreduce')
        inner = record['content'][1]
        self.assertIsNone(inner['text'])
        self.assertEqual(inner['content'][1]['text'], '0/1/1')

    def test_parts(self):
        self.write_documents(1)
        records = self.make_records(f'{LIST} ! orchexpand')
        self.assertEqual(len(records), 3)
        self.assertTrue(records[0]['id'].endswith('.pdf#item=1'))

    def test_fields(self):
        fields = {'title': 'Ünïcode "quoted"\n', 'n': [1, 'two', None, [3.5]],
                  'deep': {'er': {}}, 'yes': True, 'big': 2 ** 53}
        self.write('docs/a.pdf')
        self.write('list', json.dumps({'uri': 'docs/a.pdf', **fields}) + '\n')
        record, = self.make_records(source='list=list')
        self.assertEqual(record['info']['fields'], fields)
        self.assertEqual(record['info']['name'], 'a.pdf')
        self.assertEqual(record['info']['size'], 5)

    def test_files(self):
        self.write_documents(2)
        os.mkdir(self.path('text'))
        self.run_pipeline(f'orchsrc location=docs ! {WORK} ! orchsink '
                          'format=text location=text/{dir}/{stem}.txt')
        for record in self.read_records('text/orch-records.jsonl'):
            self.validator.validate(record)
            self.assertEqual(record['content'], [])
            name = os.path.join('text', record['info']['file'])
            texts = self.read_bytes(name).decode().split('\f')
            self.assertEqual(texts[0], record['path'] + '/0')

    def refuse(self, record, message):
        with self.assertRaises(jsonschema.ValidationError, msg=message):
            self.validator.validate(record)

    def test_missing_and_unknown_members(self):
        for record in self.make_all_kinds():
            for member in record:
                broken = copy.deepcopy(record)
                del broken[member]
                self.refuse(broken, f'without {member}')
            self.refuse({**record, 'more': 1}, 'with another member')
            for count in record['members']:
                broken = copy.deepcopy(record)
                del broken['members'][count]
                self.refuse(broken, f'without the count {count}')

    def test_types(self):
        wrong = {'schema': '1', 'id': None, 'path': 4, 'uri': None,
                 'outcome': 'lost', 'complete': 'true', 'summary': None,
                 'cause': 'broken', 'info': None, 'members': [],
                 'failures': None, 'content': 'text'}
        for record in self.make_all_kinds():
            self.assertEqual(set(wrong), set(record))
            for member, value in wrong.items():
                self.refuse({**record, member: value},
                            f'{member} is {value!r}')

    def test_contradictions(self):
        complete, incomplete, failed = self.make_all_kinds()
        self.refuse({**complete, 'summary': 'Something is missing.'},
                    'complete, and yet a summary')
        self.refuse({**incomplete, 'complete': True}, 'failures, and complete')
        self.refuse({**incomplete, 'summary': ''}, 'incomplete, no summary')
        self.refuse({**failed, 'content': ['text']}, 'failed, with content')
        self.refuse({**failed, 'complete': True}, 'failed and complete')
        self.refuse({**complete, 'cause': failed['cause']}, 'present: no cause')
        self.refuse({**complete, 'path': '4/'}, 'no path')
        self.refuse({**complete, 'info': {'uri': 'x'}}, 'uri is not info')

    def test_broken_content(self):
        record = self.make_all_kinds()[1]
        for member in record['content'][0]:
            if member in ('ordinal', 'outcome'):
                continue            # without these it is a plain value
            broken = copy.deepcopy(record)
            del broken['content'][0][member]
            self.refuse(broken, f'content without {member}')
        broken = copy.deepcopy(record)
        broken['content'][1]['ordinal'] = -1
        self.refuse(broken, 'a negative ordinal')
        for member in record['failures'][0]:
            broken = copy.deepcopy(record)
            del broken['failures'][0][member]
            self.refuse(broken, f'a failure without {member}')


if __name__ == '__main__':
    unittest.main()
