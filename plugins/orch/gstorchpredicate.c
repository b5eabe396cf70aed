/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpredicate.h"
#include "gstorchpredicatefield.h"

#include <string.h>

/* More nesting than this is refused: parser and evaluation recurse. */
#define MAX_DEPTH 64
#define IN_LOWER_CASE "\"and\", \"or\", \"not\" and \"has\" in lower case"

typedef enum
{
  NODE_OR,
  NODE_AND,
  NODE_NOT,
  NODE_HAS,
  NODE_TEST,                    /* of one or two operands */
} NodeType;

typedef enum
{
  OP_NONE,
  OP_EQUAL,
  OP_NOT_EQUAL,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_MORE,
  OP_MORE_EQUAL,
} Operator;

typedef struct
{
  gchar **field;                /* (nullable): "info", "quality" */
  GstOrchFieldValue constant;
} Operand;

typedef struct _Node Node;
struct _Node
{
  NodeType type;
  Node *parts;                  /* of "or", "and" and "not" */
  Node *next;                   /* part of the same node */
  Operator op;
  Operand operands[2];
};

struct _GstOrchPredicate
{
  Node *root;
};

G_DEFINE_QUARK (gst-orch-predicate-error-quark, gst_orch_predicate_error)

static void
node_free (Node * node)
{
  guint i;

  while (node) {
    Node *next = node->next;

    node_free (node->parts);
    for (i = 0; i < G_N_ELEMENTS (node->operands); i++) {
      g_strfreev (node->operands[i].field);
      gst_orch_field_value_clear (&node->operands[i].constant);
    }
    g_free (node);
    node = next;
  }
}

void
gst_orch_predicate_free (GstOrchPredicate * predicate)
{
  if (!predicate)
    return;
  node_free (predicate->root);
  g_free (predicate);
}

static Node *
node_new (NodeType type, Node * parts)
{
  Node *node = g_new0 (Node, 1);

  node->type = type;
  node->parts = parts;
  return node;
}

/* ---- reading ---- */

typedef struct
{
  const gchar *text;
  const gchar *at;
  guint depth;
  GError *error;
} Parser;

static void
complain (Parser * parser, const gchar * expected)
{
  if (parser->error)
    return;
  if (*parser->at)
    g_set_error (&parser->error, GST_ORCH_PREDICATE_ERROR, 0,
        "expected %s at \"%s\"", expected, parser->at);
  else
    g_set_error (&parser->error, GST_ORCH_PREDICATE_ERROR, 0,
        "expected %s at the end", expected);
}

static gboolean
is_word_char (gchar c)
{
  return g_ascii_isalnum (c) || (c & 0x80) || (c && strchr ("_.+-/:", c));
}

static void
skip_space (Parser * parser)
{
  while (g_ascii_isspace (*parser->at))
    parser->at++;
}

/* TRUE when `word` stands there, which is passed. */
static gboolean
take_word (Parser * parser, const gchar * word)
{
  gsize n = strlen (word);

  skip_space (parser);
  if (strncmp (parser->at, word, n) != 0 || is_word_char (parser->at[n]))
    return FALSE;
  parser->at += n;
  return TRUE;
}

static gboolean
take_sign (Parser * parser, const gchar * sign)
{
  skip_space (parser);
  if (!g_str_has_prefix (parser->at, sign))
    return FALSE;
  parser->at += strlen (sign);
  return TRUE;
}

static Operator
read_operator (Parser * parser)
{
  /* "<=" before "<" */
  static const struct
  {
    const gchar *sign;
    Operator op;
  } signs[] = {
    {"==", OP_EQUAL}, {"!=", OP_NOT_EQUAL}, {"<=", OP_LESS_EQUAL},
    {">=", OP_MORE_EQUAL}, {"<", OP_LESS}, {">", OP_MORE},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (signs); i++)
    if (take_sign (parser, signs[i].sign))
      return signs[i].op;
  return OP_NONE;
}

static void
read_quoted (Parser * parser, Operand * operand)
{
  gchar quote = *parser->at++;
  const gchar *end = strchr (parser->at, quote);

  if (!end) {
    complain (parser, "a closing quotation mark");
    return;
  }
  operand->constant.type = GST_ORCH_FIELD_TEXT;
  operand->constant.text = g_strndup (parser->at, end - parser->at);
  parser->at = end + 1;
}

static gboolean
are_names (gchar ** names)
{
  for (; *names; names++)
    if (!**names)
      return FALSE;
  return TRUE;
}

/* Takes over `word`. */
static void
set_word (Parser * parser, Operand * operand, gchar * word)
{
  gboolean is_field = gst_orch_field_is_one (word);

  if (is_field) {
    operand->field = g_strsplit (word, ".", -1);
    if (!are_names (operand->field))
      complain (parser, "a name after each point of a field");
  } else if (strcmp (word, "true") == 0 || strcmp (word, "false") == 0) {
    operand->constant.type = GST_ORCH_FIELD_BOOLEAN;
    operand->constant.boolean = *word == 't';
  } else if (g_ascii_isalpha (*word)
      || !gst_orch_field_value_read_number (&operand->constant, word)) {
    operand->constant.type = GST_ORCH_FIELD_TEXT;
    operand->constant.text = g_steal_pointer (&word);
  }
  g_free (word);
}

static gboolean
is_reserved (const gchar * word, gsize n)
{
  static const gchar *const reserved[] = { "and", "or", "not", "has" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (strlen (reserved[i]) == n && strncmp (word, reserved[i], n) == 0)
      return TRUE;
  return FALSE;
}

/* "AND", "Not" */
static gboolean
is_misspelt (const gchar * at)
{
  g_autofree gchar *lower = NULL;
  gsize n = 0;

  while (is_word_char (at[n]))
    n++;
  lower = g_ascii_strdown (at, n);
  return is_reserved (lower, n) && !is_reserved (at, n);
}

/* A field that is not spelt as one is a text: a test of texts alone is the same
 * for every unit, and so a mistake. */
static void
complain_of_constants (Parser * parser, const gchar * start)
{
  if (is_misspelt (start)) {
    parser->at = start;
    complain (parser, IN_LOWER_CASE);
  } else if (!parser->error) {
    g_set_error (&parser->error, GST_ORCH_PREDICATE_ERROR, 0,
        "neither side is a field at \"%s\"; write info.lang, caps.width, value "
        "or value.lang", start);
  }
}

static void
read_operand (Parser * parser, Operand * operand)
{
  const gchar *start;

  skip_space (parser);
  start = parser->at;
  if (*start == '\'' || *start == '"') {
    read_quoted (parser, operand);
    return;
  }
  while (is_word_char (*parser->at))
    parser->at++;
  if (parser->at == start || is_reserved (start, parser->at - start))
    complain (parser, "a field, a number or a text");
  else
    set_word (parser, operand, g_strndup (start, parser->at - start));
}

static Node *
read_test (Parser * parser)
{
  Node *node = node_new (NODE_TEST, NULL);
  const gchar *start;

  skip_space (parser);
  start = parser->at;
  read_operand (parser, &node->operands[0]);
  node->op = read_operator (parser);
  if (node->op != OP_NONE)
    read_operand (parser, &node->operands[1]);
  if (!node->operands[0].field && !node->operands[1].field)
    complain_of_constants (parser, start);
  return node;
}

static Node *
read_has (Parser * parser)
{
  Node *node = node_new (NODE_HAS, NULL);

  read_operand (parser, &node->operands[0]);
  if (!node->operands[0].field)
    complain (parser, "\"has\" and a field, not a constant,");
  return node;
}

static Node *read_condition (Parser * parser);

static Node *
read_one (Parser * parser)
{
  Node *node = NULL;

  if (++parser->depth > MAX_DEPTH)
    complain (parser, "less nesting");
  else if (take_word (parser, "not"))
    node = node_new (NODE_NOT, read_one (parser));
  else if (take_word (parser, "has"))
    node = read_has (parser);
  else if (!take_sign (parser, "("))
    node = read_test (parser);
  else {
    node = read_condition (parser);
    if (!take_sign (parser, ")"))
      complain (parser, "a closing parenthesis");
  }
  parser->depth--;
  return node;
}

/* One part, or several in a node; however many, they do not nest. */
static Node *
read_chain (Parser * parser, NodeType type, const gchar * word,
    Node * (*read_part) (Parser * parser))
{
  Node *first = read_part (parser), *last = first, *chain = NULL;

  while (!parser->error && take_word (parser, word)) {
    if (!chain)
      chain = node_new (type, first);
    last->next = read_part (parser);
    last = last->next;
  }
  return chain ? chain : first;
}

static Node *
read_all (Parser * parser)
{
  return read_chain (parser, NODE_AND, "and", read_one);
}

static Node *
read_condition (Parser * parser)
{
  return read_chain (parser, NODE_OR, "or", read_all);
}

GstOrchPredicate *
gst_orch_predicate_parse (const gchar * text, GError ** error)
{
  GstOrchPredicate *predicate = g_new0 (GstOrchPredicate, 1);
  Parser parser = { text, text, };

  predicate->root = read_condition (&parser);
  skip_space (&parser);
  if (*parser.at)
    complain (&parser, is_misspelt (parser.at) ? IN_LOWER_CASE
        : "\"and\", \"or\", an operator or the end");
  if (!parser.error)
    return predicate;
  g_propagate_error (error, parser.error);
  gst_orch_predicate_free (predicate);
  return NULL;
}

/* ---- evaluating ---- */

static OrchMask
mask_from (gboolean value)
{
  return value ? ORCH_MASK_TRUE : ORCH_MASK_FALSE;
}

/* With a value of its own, or one that is the operand's. */
static void
get_value (const Operand * operand, GstOrchFieldSource * source,
    GstOrchFieldValue * value)
{
  if (operand->field)
    gst_orch_field_read (source, (const gchar * const *) operand->field,
        value);
  else
    gst_orch_field_value_copy (value, &operand->constant);
}

static OrchMask
judge (Operator op, gint order)
{
  switch (op) {
    case OP_EQUAL:
      return mask_from (order == 0);
    case OP_NOT_EQUAL:
      return mask_from (order != 0);
    case OP_LESS:
      return mask_from (order < 0);
    case OP_LESS_EQUAL:
      return mask_from (order <= 0);
    case OP_MORE:
      return mask_from (order > 0);
    default:
      return mask_from (order >= 0);
  }
}

static OrchMask
compare (Operator op, GstOrchFieldValue * a, GstOrchFieldValue * b)
{
  gboolean is_equality = op == OP_EQUAL || op == OP_NOT_EQUAL;

  if (a->type == GST_ORCH_FIELD_BOOLEAN || b->type == GST_ORCH_FIELD_BOOLEAN) {
    gst_orch_field_value_make_boolean (a);
    gst_orch_field_value_make_boolean (b);
  }
  if (a->type != b->type)
    return ORCH_MASK_NOT_A_BOOLEAN;
  switch (a->type) {
    case GST_ORCH_FIELD_NUMBER:
      /* Not a number compares with nothing. */
      if (a->number != a->number || b->number != b->number)
        return ORCH_MASK_NOT_A_BOOLEAN;
      return judge (op, gst_orch_field_value_compare_numbers (a, b));
    case GST_ORCH_FIELD_TEXT:
      return judge (op, strcmp (a->text, b->text));
    case GST_ORCH_FIELD_BOOLEAN:
      return is_equality ? judge (op, a->boolean != b->boolean)
          : ORCH_MASK_NOT_A_BOOLEAN;
    default:
      return ORCH_MASK_NOT_A_BOOLEAN;
  }
}

static OrchMask
test (const Node * node, GstOrchFieldSource * source)
{
  GstOrchFieldValue a, b;
  OrchMask result = ORCH_MASK_NOT_A_BOOLEAN;

  get_value (&node->operands[0], source, &a);
  if (node->op == OP_NONE) {
    if (gst_orch_field_value_make_boolean (&a))
      result = mask_from (a.boolean);
  } else {
    get_value (&node->operands[1], source, &b);
    result = compare (node->op, &a, &b);
    gst_orch_field_value_clear (&b);
  }
  gst_orch_field_value_clear (&a);
  return result;
}

static OrchMask
has (const Node * node, GstOrchFieldSource * source)
{
  GstOrchFieldValue value;
  OrchMask result;

  get_value (&node->operands[0], source, &value);
  result = mask_from (value.type != GST_ORCH_FIELD_MISSING);
  gst_orch_field_value_clear (&value);
  return result;
}

/* What kept a test from being evaluated: a field that is not there, or else the
 * types. */
static gchar *
explain (const Node * node, GstOrchFieldSource * source)
{
  static const gchar *const types[] = { "nothing", "neither text, number nor "
        "boolean", "a boolean", "a number", "a text"
  };
  const gchar *is[2] = { NULL, NULL };
  g_autofree gchar *name = NULL;
  guint i;

  for (i = 0; i < (node->op == OP_NONE ? 1 : 2); i++) {
    GstOrchFieldValue value;

    get_value (&node->operands[i], source, &value);
    is[i] = types[value.type];
    gst_orch_field_value_clear (&value);
    if (!node->operands[i].field)
      continue;
    if (value.type == GST_ORCH_FIELD_MISSING || !name) {
      g_free (name);
      name = g_strjoinv (".", node->operands[i].field);
    }
    if (value.type == GST_ORCH_FIELD_MISSING)
      return g_strdup_printf ("%s is not there", name);
  }
  if (!is[1])
    return g_strdup_printf ("%s is %s, not a boolean", name, is[0]);
  return g_strdup_printf ("at %s, %s and %s do not compare like this", name,
      is[0], is[1]);
}

/* `stuck`: the test that could not be evaluated. */
static OrchMask
evaluate (const Node * node, GstOrchFieldSource * source, const Node ** stuck)
{
  OrchMask result;
  const Node *part;

  if (node->type == NODE_HAS)
    return has (node, source);
  if (node->type == NODE_TEST) {
    result = test (node, source);
    if (result == ORCH_MASK_NOT_A_BOOLEAN)
      *stuck = node;
    return result;
  }
  for (part = node->parts; part; part = part->next) {
    result = evaluate (part, source, stuck);
    if (result == ORCH_MASK_NOT_A_BOOLEAN)
      return result;
    if (node->type == NODE_NOT)
      return mask_from (result == ORCH_MASK_FALSE);
    if (result == mask_from (node->type == NODE_OR))
      return result;
  }
  return mask_from (node->type == NODE_AND);
}

OrchMask
gst_orch_predicate_evaluate (const GstOrchPredicate * predicate,
    const GstStructure * info, GstCaps * caps, GstBuffer * buffer,
    gchar ** reason)
{
  GstOrchFieldSource source = { info, caps, buffer, };
  const Node *stuck = NULL;
  OrchMask result = evaluate (predicate->root, &source, &stuck);

  if (stuck && reason)
    *reason = explain (stuck, &source);
  gst_orch_field_source_clear (&source);
  return result;
}
