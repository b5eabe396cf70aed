# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The commands of orch."""

import argparse
import itertools
import os
import re
import sys

from . import OrchError, environment, launchfile, records, report
from .progress import duration

EXIT_COMPLETE = 0
EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130

FINISHED = 'Finished'
PARAMETER = 'parameter:'
# Where the default is one, the value must be one.
NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\Z')

PLAN_FORMATS = ('text', 'json', 'dot')

RUN_EPILOG = """\
Ctrl-C stops; the same command goes on where it stopped.
Exit status: 0 every document is complete, 3 some are not, 1 error,
130 stopped by Ctrl-C."""


def number(text):
    """As it was typed, if it is one for GStreamer and for predicates."""
    if not NUMBER.match(text):
        raise ValueError
    return text


def _add_parameter(parser, parameter):
    dest = PARAMETER + parameter.name
    if parameter.default in ('true', 'false'):
        other = 'false' if parameter.default == 'true' else 'true'
        name = parameter.name if other == 'true' else f'no-{parameter.name}'
        parser.add_argument(
            f'--{name}', action='store_const', const=other, dest=dest,
            default=parameter.default, help=parameter.description)
    else:
        parser.add_argument(
            f'--{parameter.name}', default=parameter.default, dest=dest,
            metavar='VALUE',
            type=number if NUMBER.match(parameter.default) else str,
            help=f'{parameter.description} (default: {parameter.default})')


def _add_run(commands, launch):
    parser = commands.add_parser(
        launch.name, help=launch.description, description=launch.description,
        epilog=RUN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('inputs', nargs='+', metavar='FILE|FOLDER',
                        help='documents, and folders of documents')
    parser.add_argument('-o', '--output', required=True, metavar='OUT.jsonl',
                        help='file of records; what it holds already is '
                        'not done again')
    if launch.names_files:
        media = parser.add_mutually_exclusive_group()
        media.add_argument('--files', metavar='FOLDER',
                           help='where pictures go, a folder for each '
                           f'{launch.units[0]} (default: OUT.files)')
        media.add_argument('--shards', metavar='FOLDER',
                           help='write tar archives there instead, as '
                           'WebDataset reads them')
    for parameter in launch.parameters:
        _add_parameter(parser, parameter)
    parser.add_argument('--print', action='store_true', dest='print_line',
                        help='show the gst-launch-1.0 line; run nothing')
    parser.add_argument('--report', metavar='FILE.html',
                        help='write a page about the run: documents, failures '
                        'and when each stage was busy')
    parser.add_argument('-q', '--quiet', action='store_true',
                        help='no progress line and no summary')
    parser.set_defaults(command=run, launch=launch)


def _parser(script):
    parser = argparse.ArgumentParser(
        prog='orch', description='Runs gst-orch pipelines over documents.')
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    for launch in launchfile.find(
            environment.pipelines_folder(script)).values():
        _add_run(commands, launch)

    failures_parser = commands.add_parser(
        'failures', help='list what failed in a file of records')
    failures_parser.add_argument('records', metavar='OUT.jsonl')
    failures_parser.set_defaults(command=failures)

    show_parser = commands.add_parser(
        'show', help='show the text of the first records')
    show_parser.add_argument('records', metavar='OUT.jsonl')
    show_parser.add_argument('--lines', type=int, default=20, metavar='N',
                             help='lines to show (default: 20)')
    show_parser.set_defaults(command=show)

    plan_parser = commands.add_parser(
        'plan', help='show what a launch line is going to do; run nothing',
        epilog='Exit status: 0 it can work, 1 it cannot.')
    plan_parser.add_argument('line', nargs='+', metavar='LINE',
                             help='a line for gst-launch-1.0, best in quotes')
    plan_parser.add_argument('--format', choices=PLAN_FORMATS, default='text',
                             help='text, json, or dot, for Graphviz '
                             '(default: text)')
    plan_parser.set_defaults(command=plan)

    # It reads its options by itself, --help too.
    sim_parser = commands.add_parser(
        'sim', add_help=False,
        help='simulate a workload, to try orders, bounds and replicas')
    sim_parser.set_defaults(command=sim)
    return parser


def _parse(script, argv):
    parser = _parser(script)
    arguments, rest = parser.parse_known_args(argv)
    if rest and arguments.command is not sim:
        parser.error(f'unrecognized arguments: {" ".join(rest)}')
    arguments.rest = rest
    return arguments


def run(arguments, script):
    values = {name[len(PARAMETER):]: value
              for name, value in vars(arguments).items()
              if name.startswith(PARAMETER)}
    words = arguments.launch.expand(arguments.inputs, arguments.output, values,
                                    getattr(arguments, 'files', None),
                                    getattr(arguments, 'shards', None))
    if arguments.print_line:
        print(launchfile.shell_line(words))
        return EXIT_COMPLETE

    environment.use_build(script)
    from . import runner  # GStreamer: only once the environment is right
    one = runner.Run(words, arguments.quiet, arguments.launch.units)
    try:
        one.run()
    except runner.PipelineError as error:
        _write_report(arguments, words, one, f'Ended by an error ({error})')
        # What an element advises to set is an option here.
        raise OrchError(str(error).replace('existing=', '--existing=')) \
            from error
    _write_report(arguments, words, one,
                  'Stopped' if one.stopped else FINISHED)
    if one.stopped:
        print(f'Stopped after {duration(one.progress.elapsed())}. '
              'The same command goes on from here.', file=sys.stderr)
        return EXIT_INTERRUPTED
    return _finish(arguments, one)


def _write_report(arguments, words, one, end):
    """Also of a run that did not come to its end, as far as it came."""
    if not arguments.report or not os.path.isfile(arguments.output):
        return
    counts = one.counts_at_end
    report.write(report.RunFacts(
        launchfile.shell_line(words), end, one.elapsed, counts.done,
        counts.skipped, one.stages, arguments.launch.units[0]),
        arguments.output, arguments.report)
    if end != FINISHED and not arguments.quiet:
        print(f'Report: {arguments.report}', file=sys.stderr)


def _finish(arguments, one):
    counts = one.counts_at_end
    document, part = arguments.launch.units
    summary = records.Summary(records.read(arguments.output))
    if not arguments.quiet:
        print(f'{records.plural(counts.done, document)}, '
              f'{records.plural(counts.pages, part)} in '
              f'{duration(one.progress.elapsed())}'
              + (f'; {counts.skipped} had been done before'
                 if counts.skipped else ''))
        print(f'{arguments.output} has ', end='')
        for line in summary.lines():
            print(line)
        if arguments.report:
            print(f'Report: {arguments.report}')
    return EXIT_INCOMPLETE if summary.incomplete else EXIT_COMPLETE


def plan(arguments, script):
    environment.use_build(script)
    from . import plan as planning  # GStreamer, as in run()
    made = planning.make(arguments.line)
    print(planning.FORMATS[arguments.format](made).rstrip('\n'))
    return EXIT_ERROR if made.get_n_errors() else EXIT_COMPLETE


def failures(arguments, script):
    summary = records.Summary(records.read(arguments.records))
    for line in summary.lines():
        print(line)
    return EXIT_INCOMPLETE if summary.incomplete else EXIT_COMPLETE


def show(arguments, script):
    lines = itertools.chain.from_iterable(
        records.text_lines(record) for record in
        records.read(arguments.records))
    for line in itertools.islice(lines, arguments.lines):
        print(line)
    return EXIT_COMPLETE


def sim(arguments, script):
    program = environment.find_simulator(script)
    if not program:
        raise OrchError('the simulator is not built; ninja -C build')
    os.execv(program, ['orch sim', *arguments.rest])


def main(script, argv):
    try:
        arguments = _parse(script, argv)
        return arguments.command(arguments, script)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has enough; there is nothing more to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_COMPLETE
    except (OrchError, OSError) as error:
        print(f'orch: {error}', file=sys.stderr)
        return EXIT_ERROR
