import t from 'tap'
import { dataFile, syntaxes, type Patched } from '../../plugins/files/port.ts'

type Values = Record<string, unknown>

/** Patches a text by a change of its values; returns the new text or the refusal. */
function edit(
  syntax: keyof typeof syntaxes,
  text: string,
  change: Values | ((values: Values) => void),
): string {
  const kind = dataFile(syntaxes[syntax])
  const read = kind.read(text)
  if ('unreadable' in read) return `line ${read.line}: ${read.unreadable}`
  const blocks = read.blocks.map(({ type, props }) => ({ id: 'data', type, props }))
  const props = structuredClone(blocks[0]?.props ?? {}) as Values
  if (typeof change === 'function') change(props)
  else Object.assign(props, change)
  const patched: Patched = kind.patch(text, { blocks }, { blocks: [{ id: 'data', type: 'Data', props }] })
  return 'text' in patched ? patched.text : `${patched.rule}: ${patched.refused}`
}
const turn = (values: Values, name: string) => void (values[name] = list(values, name).toReversed())
const list = (values: Values, name: string) => values[name] as unknown[]

t.test('a scalar of YAML keeps its quoting, or gets the least that reads back', (t) => {
  const rows: readonly (readonly [before: string, value: unknown, after: string])[] = [
    ['a: Hello # c', 'Bye', 'a: Bye # c'],
    ['a: Hello # c', 'b: c', "a: 'b: c' # c"],
    ['a: Hello', 'No', "a: 'No'"],
    ['a: Hello', '12', "a: '12'"],
    ['a: Hello', '2026-01-02', "a: '2026-01-02'"],
    ['a: 2026-01-01', '2026-01-02', 'a: 2026-01-02'],
    ['a: "Hello"', 'It\'s "so"', String.raw`a: "It's \"so\""`],
    ["a: 'Hello'", "It's", "a: 'It''s'"],
    ['a:', 'text', 'a: text'],
    ['a: 1', 2.5, 'a: 2.5'],
    ['a: true', false, 'a: false'],
    ['a: |\n  one\n  two\nb: 1', 'one\n\n2\n', 'a: |\n  one\n\n  2\nb: 1'],
    ['a: >-\n  one\n  two\n\n  three\nb: 1', 'one two\n3', 'a: >-\n  one\n  two\n\n  3\nb: 1'],
    [
      'a: >\n  one\n  two\n  three\n\n  four\n',
      'one 2 three\nfour\n',
      'a: >\n  one\n  2\n  three\n\n  four\n',
    ],
    ['a: one\n  two\n   three # c', 'one 2 three', 'a: one\n  2\n   three # c'],
    ['a: "one\n  \\"two\\"\n  three"', 'one "2" three', 'a: "one\n  \\"2\\"\n  three"'],
    ["a: 'one\r\n  two'", "one two's", "a: 'one\r\n  two''s'"],
    ['a: text', 'one\ntwo', 'a: |-\n  one\n  two'],
    ['{a: b,  c: d}', 'x, y', "{a: 'x, y',  c: d}"],
    ['a: [b,   c]', ['b', 'c', 'd'], 'a: [b,   c,   d]'],
    ['a: &x b\nc: *x', 'd', 'fixed: a cannot be changed here: other places of the file repeat it.'],
    ['c: &x b\na: *x', 'd', 'fixed: a cannot be changed here: it repeats another value of the file.'],
    ['a: !tag b', 'd', 'fixed: a cannot be changed here: it has a tag.'],
    ['a: b\na: c', 'd', 'a: b\na: d'],
    ['\uFEFFa: b\r\nc: d\r\n', 'e', '\uFEFFa: e\r\nc: d\r\n'],
    ['a: مرحبا', '👋 עולם', 'a: 👋 עולם'],
  ]
  for (const [before, value, after] of rows) t.equal(edit('yaml', before, { a: value }), after, before)
  t.end()
})

t.test('keys and rows of YAML are added and removed as lines, and comments stay', (t) => {
  const text =
    'title: A # one\nlist:\n  - a # first\n  # about b\n  - b\n  - c\nrows:\n- k: 1\n  l: x\n- k: 2\n'
  t.equal(edit('yaml', text, { new: ['a', { b: 1 }] }), `${text}new:\n  - a\n  - b: 1\n`)
  t.equal(
    edit('yaml', text, (values) => delete values['title']),
    text.replace('title: A # one\n', ''),
  )
  t.equal(
    edit('yaml', text, (values) => list(values, 'list').splice(1, 1)),
    text.replace('  - b\n', ''),
  )
  t.equal(
    edit('yaml', text, (values) => list(values, 'list').push('d')),
    text.replace('  - c\n', '  - c\n  - d\n'),
  )
  t.equal(
    edit('yaml', text, (values) => list(values, 'rows').unshift({ k: 0 })),
    text.replace('- k: 1', '- k: 0\n- k: 1'),
  )
  t.equal(
    edit('yaml', text, (values) => turn(values, 'rows')),
    text.replace('- k: 1\n  l: x\n- k: 2\n', '- k: 2\n- k: 1\n  l: x\n'),
  )
  t.match(
    edit('yaml', 'list: [a, # first\n  b, c]\n', (values) => turn(values, 'list')),
    /^form: list: a comment is between/,
  )
  for (const language of ['yaml', 'toml'] as const) {
    const last = (text: string) => (language === 'yaml' ? text : text.replaceAll(': ', ' = '))
    t.equal(
      edit(language, last('a: 1\n# about b\nb: 2\n'), (values) => delete values['b']),
      last('a: 1\n# about b\n'),
      'a comment in front of a last key stays',
    )
  }
  t.equal(edit('yaml', 'a: 1', { b: 2 }), 'a: 1\nb: 2', 'without a last line end')
  t.equal(edit('yaml', '# only\n', { b: 2 }), '# only\nb: 2\n')
  t.end()
})

t.test('a new text that plain YAML cannot have is quoted', (t) => {
  for (const text of [
    '@ida',
    '`oak`',
    '%x',
    '*a',
    '&a',
    '!a',
    '# a',
    'a: b',
    '- a',
    '? a',
    '|',
    "'a",
    '{a',
  ]) {
    const quoted = `'${text.replaceAll("'", "''")}'`
    const rows = (values: Values) => void (list(values, 'a').push(text), (values['c'] = text))
    t.equal(edit('yaml', 'a:\n  - b\n', rows), `a:\n  - b\n  - ${quoted}\nc: ${quoted}\n`, text)
    t.equal(edit('yaml', 'a: [b]\n', rows), `a: [b, ${quoted}]\nc: ${quoted}\n`, `${text} between brackets`)
  }
  t.end()
})

t.test('the comments in front of a row go with it', (t) => {
  const text = 'list:\n  - a # first\n  # about b\n  - b\n  # about c\n  # and d\n  - c\n'
  const rows: readonly (readonly [list: readonly string[], after: string])[] = [
    [['b', 'c'], text.replace('- a # first\n  ', '')],
    [['c'], 'list:\n  # about b\n  # about c\n  # and d\n  - c\n'],
    [['x', 'a', 'b', 'c'], text.replace('  - a', '  - x\n  - a')],
    [['a', 'x', 'b', 'c'], text.replace('first\n', 'first\n  - x\n')],
    [['b', 'a', 'c'], 'list:\n  # about b\n  - b\n  - a # first\n  # about c\n  # and d\n  - c\n'],
    [['c', 'b', 'a'], 'list:\n  # about c\n  # and d\n  - c\n  # about b\n  - b\n  - a # first\n'],
    [['a', 'c', 'x'], text.replace('  - b\n', '').replace('- c\n', '- c\n  - x\n')],
  ]
  for (const [list, after] of rows) t.equal(edit('yaml', text, { list }), after, list.join(' '))
  const json = '{\n  "list": [\n    1,\n    // two\n    2,\n    3\n  ]\n}\n'
  t.equal(edit('json', json, { list: [2, 3] }), json.replace('1,\n    ', ''))
  t.equal(edit('json', json, { list: [1, 4, 2, 3] }), json.replace('1,\n', '1,\n    4,\n'))
  t.equal(edit('json', json, { list: [3, 2, 1] }), json.replace('1,', '3,').replace('3\n', '1\n'))
  t.end()
})

t.test('a new row of JSON is on one line if the row before it is', (t) => {
  const text =
    '{\n\t"list": [ { "id": 1, "at": [ ] } ],\n\t"rows": [\n\t\t{"id": 1},\n\t\t{\n\t\t\t"id": 2\n\t\t}\n\t]\n}\n'
  t.equal(
    edit('json', text, (values) => list(values, 'list').push({ id: 2, at: [1, {}] })),
    text.replace('] } ]', '] }, { "id": 2, "at": [1, {}] } ]'),
  )
  t.equal(
    edit('json', text, (values) => list(values, 'rows').splice(1, 0, { id: 3 })),
    text.replace('{"id": 1},\n', '{"id": 1},\n\t\t{"id": 3},\n'),
  )
  t.equal(
    edit('json', text, (values) => list(values, 'rows').push({ id: 3 })),
    text.replace('2\n\t\t}', '2\n\t\t},\n\t\t{\n\t\t\t"id": 3\n\t\t}'),
  )
  t.end()
})

t.test('the first rows of a list are laid out as others of the file', (t) => {
  type Row = readonly [
    syntax: keyof typeof syntaxes,
    text: string,
    change: (values: Values) => void,
    found: string,
    written: string,
  ]
  const push =
    (...rows: readonly unknown[]) =>
    (values: Values) =>
      void list(values, 'list').push(...rows)
  const rows: readonly Row[] = [
    ['json', '{\n  "list": []\n}\n', push({ k: 1 }), '[]', '[\n    {\n      "k": 1\n    }\n  ]'],
    ['json', '{\n  "list": [ ], "a": 1\n}\n', push('x', 2), '[ ]', '["x", 2]'],
    ['json', '{ "list": [], "a": {} }', push({ k: 1 }), '[]', '[{ "k": 1 }]'],
    ['json', '[]\n', (values) => list(values, 'items').push(1), '[]', '[1]'],
    [
      'json',
      '{\r\n\t"in": {\r\n\t\t"list": []\r\n\t}\r\n}',
      (values) => push({ k: 1 }, { k: 2 })(values['in'] as Values),
      '[]',
      '[\r\n\t\t\t{\r\n\t\t\t\t"k": 1\r\n\t\t\t},\r\n\t\t\t{\r\n\t\t\t\t"k": 2\r\n\t\t\t}\r\n\t\t]',
    ],
    [
      'json',
      '{\n\t"rows": [\n\t\t{"id": 1}\n\t],\n\t"list": []\n}\n',
      push({ k: 1 }, { k: 2 }),
      '[]',
      '[\n\t\t{"k": 1},\n\t\t{"k": 2}\n\t]',
    ],
    ['json', '{\n  "rows": [ {"id": 1} ],\n  "list": []\n}\n', push({ k: 1 }), '[]', '[ {"k": 1} ]'],
    ['json', '{\n  "l": [/* c */ 1],\n  "list": []\n}', push(2), '[]', '[2]'],
    ['json', '{\n  "list": [],\n  "o": [\n    1\n  ]\n}\n', push(2), '[]', '[\n    2\n  ]'],
    ['json', '{\n  "list": [ // c\n  ]\n}\n', push(1, 2), '// c\n', '// c\n    1,\n    2\n'],
    [
      'json',
      '{\n  "list": [\n   // c\n   // d\n  ]\n}\n',
      push({ k: 1 }),
      '// d\n',
      '// d\n   {\n     "k": 1\n   }\n',
    ],
    ['json', '/**\n * c\n */\n{\n    "list": [/* d */]\n}', push(1), '*/]', '*/\n        1\n    ]'],
    ['json', '{\n  "o": {}\n}', (values) => (values['o'] = { k: 1 }), '{}', '{\n    "k": 1\n  }'],
    ['json', '{\n  "list": null\n}', (values) => (values['list'] = [{}]), 'null', '[\n    {}\n  ]'],
    ['yaml', 'list: []\n', push('a'), '[]', '[a]'],
    ['yaml', 'list: []\n', push({ k: 1, l: 2 }), ' []', '\n  - k: 1\n    l: 2'],
    ['yaml', 'list: [] # c\n', push({ k: 1 }), '[]', '[{k: 1}]'],
    ['yaml', 'b: [{k: 1}]\nlist: []\n', push({ k: 2 }), ' []', ' [{k: 2}]'],
    ['yaml', 'b:\r\n- c\r\nlist: []\r\n', push('a'), ' []', '\r\n- a'],
    ['yaml', 'b:\n  - c\nlist:\nd: 1\n', (values) => (values['list'] = ['a']), 'list:', 'list:\n  - a'],
    [
      'yaml',
      'rows:\n  - list: []\n    o: {}\n',
      (values) => push('a')(list(values, 'rows')[0] as Values),
      '[]',
      '[a]',
    ],
    ['yaml', 'a: [ # c\n  ]\n', (values) => list(values, 'a').push('x'), '# c', '# c\n  x'],
    ['toml', 'list = []\n', push('a'), '[]', '["a"]'],
    ['toml', 'list = [ # c\n]\n', push(1, 2), '# c', '# c\n  1,\n  2'],
  ]
  for (const [syntax, text, change, found, written] of rows)
    t.equal(
      edit(syntax, text, change),
      text.replace(found, () => written),
      text,
    )
  t.equal(
    edit('json', '{\n\t"list": [\n\t\t1\n\t]\n}', push(2)),
    '{\n\t"list": [\n\t\t1,\n\t\t2\n\t]\n}',
    'a second row has the tabs of the first',
  )
  t.end()
})

t.test('a key or row goes with the comment on its line, and with no other', (t) => {
  const without =
    (...names: readonly string[]) =>
    (values: Values) =>
      names.forEach((name) => delete values[name])
  const rows: readonly (readonly [keyof typeof syntaxes, string, (values: Values) => void, string])[] = [
    ['yaml', 'a: 1 # c\nb: 2\n', without('a'), 'b: 2\n'],
    ['yaml', 'a: 1 # c\n# d\nb: 2\n', without('a'), '# d\nb: 2\n'],
    ['yaml', 'a: # c\n  - 1\n', without('a'), '{}\n'],
    ['yaml', '{a: 1, # c\n b: 2}\n', without('b'), '{a: 1 # c\n}\n'],
    ['yaml', '[ # c\n  a # d\n]\n', (values) => list(values, 'items').pop(), '[ # c\n]\n'],
    ['yaml', 'l:\n  - a\n  # b\n  - b # c\n', (values) => (values['l'] = []), 'l:\n  # b\n  []\n'],
    ['yaml', 'l:\n  - a\n  - b\nc: 1\n', (values) => (values['l'] = []), 'l: []\nc: 1\n'],
    ['yaml', 'l:\r\n- a\r\nc: 1\r\n', (values) => (values['l'] = []), 'l: []\r\nc: 1\r\n'],
    ['yaml', 'o:\n  k: 1\n', (values) => (values['o'] = {}), 'o: {}\n'],
    ['yaml', 'l: # c:\n  - a\n', (values) => (values['l'] = []), 'l: # c:\n  []\n'],
    ['yaml', 'l:\n  -\n    - a\n', (values) => (values['l'] = [[]]), 'l:\n  - []\n'],
    ['yaml', 'l:\n  - - a\n', (values) => (values['l'] = [[]]), 'l:\n  - []\n'],
    ['yaml', 'l: &x\n  - a\n', (values) => (values['l'] = []), 'l: &x\n  []\n'],
    ['yaml', 'l: &x\n- a\n', (values) => (values['l'] = []), 'l: &x\n  []\n'],
    ['yaml', 'l: # c\n- a\n# d\n- b\n', (values) => (values['l'] = []), 'l: # c\n# d\n  []\n'],
    ['yaml', 'l: # c\n- a\nm: 1\n', (values) => (values['l'] = 'b'), 'l: # c\n  b\nm: 1\n'],
    ['yaml', 'l:\n- a\nm: 1\n', (values) => (values['l'] = false), 'l: false\nm: 1\n'],
    ['yaml', '- k:\n  - a\n', (values) => (list(values, 'items')[0] = { k: 'b' }), '- k: b\n'],
    ['yaml', 'l:\n  k: 1\n', (values) => (values['l'] = 'a\nb'), 'l: |-\n  a\n  b\n'],
    ['yaml', '- a\n', (values) => (values['items'] = []), '[]\n'],
    [
      'toml',
      'l = [ # c\n  1, # d\n  # e\n  2, # f\n]\n',
      (values) => (values['l'] = []),
      'l = [ # c\n  # e\n]\n',
    ],
    ['toml', 'l = [\n  1,\n  2, # f\n]\n', (values) => list(values, 'l').pop(), 'l = [\n  1,\n]\n'],
    ['json', '{\n  "a": 1,\n  "b": 2 // c\n}', without('b'), '{\n  "a": 1\n}'],
    ['json', '{\n  "a": 1, // c\n  // d\n  "b": 2, // e\n}', without('b'), '{\n  "a": 1, // c\n  // d\n}'],
    ['json', '{\n  "a": 1, // c\n  "b": 2,\n}', without('b'), '{\n  "a": 1, // c\n}'],
    ['json', '{"a": 1, // c\n "b": 2}', without('b'), '{"a": 1 // c\n}'],
    ['json', '{\n  // c\n  "a": 1 // d\n  // e\n}', without('a'), '{\n  // c\n  // e\n}'],
    ['json', '{ /* c */ "a": 1, "b": 2 }', without('a', 'b'), '{ /* c */\n}'],
  ]
  for (const [syntax, text, change, after] of rows) t.equal(edit(syntax, text, change), after, text)
  t.end()
})

t.test('JSON keeps its layout, escapes, comments and line ends', (t) => {
  const text =
    '{\r\n  "a": "x\\u00e9y", // c\r\n  "b": [1, 2,\r\n 3],\r\n  "o": {"x": true},\r\n  "e": []\r\n}'
  t.equal(edit('json', text, { a: 'xézz' }), text.replace('9y', '9zz'))
  t.equal(edit('json', text, { o: { x: true, y: [1] } }), text.replace('true}', 'true, "y": [1]}'))
  t.equal(edit('json', text, { e: ['q'], z: null }), text.replace('[]', '["q"],\r\n  "z": null'))
  t.equal(
    edit('json', text, (values) => delete values['e']),
    text.replace(',\r\n  "e": []', ''),
  )
  t.equal(
    edit('json', text, (values) => delete values['a']),
    text.replace('"a": "x\\u00e9y", // c\r\n  ', ''),
    'a comment goes with its line',
  )
  t.equal(
    edit('json', '[{"a": 1},\n {"a": 2}]\n', (values) => turn(values, 'items')),
    '[{"a": 2},\n {"a": 1}]\n',
  )
  t.equal(edit('json', '{"a": 1, "a": 2}', { a: 3 }), '{"a": 1, "a": 3}', 'of a repeated key the last counts')
  t.match(edit('json', '{"a": }', {}), /^line 1: This is not JSON/)
  t.end()
})

t.test('TOML keeps the kinds of its values, and has tables in lists that stay', (t) => {
  const text =
    't = "x" # c\nf = 1.0\nd = 2026-01-05\na.b = 1\n\n# table\n[tab]\nk = \'v\'\nin = { x = 1 }\n\n[[r]]\nn = 1\n[[r]]\nn = 2\n'
  t.equal(edit('toml', text, { t: 'y' }), text.replace('"x"', '"y"'))
  t.equal(edit('toml', text, { f: 2 }), text.replace('1.0', '2.0'))
  t.equal(edit('toml', text, { d: '2026-01-06' }), text.replace('01-05', '01-06'))
  t.equal(edit('toml', '[a]\nb = 1\n\n[c]\nd = 2\n', { a: {} }), '[a]\n\n[c]\nd = 2\n', 'an empty table')
  t.match(edit('toml', text, { d: 'soon' }), /^form: The file cannot hold this value of d/)
  t.match(edit('toml', text, { d: '12' }), /^form: /, 'a date does not become a number')
  t.equal(edit('toml', text, { a: { b: 2 } }), text.replace('a.b = 1', 'a.b = 2'))
  t.equal(edit('toml', text, { new: 'n' }), text.replace('a.b = 1\n', 'a.b = 1\nnew = "n"\n'))
  t.equal(
    edit('toml', text, { tab: { k: "it's", in: { x: 1, y: true } } }),
    text.replace("'v'", `"it's"`).replace('x = 1 }', 'x = 1, y = true }'),
  )
  t.equal(edit('toml', text, { r: [{ n: 1 }, { n: 3 }] }), text.replace('n = 2', 'n = 3'))
  t.match(edit('toml', text, { r: [{ n: 1 }] }), /^fixed: The rows of r stay/)
  t.match(edit('toml', 'a = 1\na = 2', {}), /^line 2: This is not TOML/)
  t.end()
})

t.test('an edit of data brings no code, and leaves what builds the page', (t) => {
  const text = 'title: A\nlayout: post\nbody: <b>x</b> {{ y }}\n'
  const refused = [
    '<i>',
    '{{ x }}',
    '{% x %}',
    'javascript:alert(1)',
    ' java\nscript:x',
    '[a](javascript:b)',
    '[a](&#106;avascript:b)',
    '[a]: javascript:b',
    '<!-- -->',
  ]
  for (const each of refused)
    t.match(edit('yaml', text, { title: each }), /^code: This text would bring code/, each)
  t.match(edit('yaml', text, { more: [{ deep: '<script>' }] }), /^code:/)
  t.match(edit('yaml', text, { layout: 'page' }), /^fixed: layout decides/)
  t.match(edit('yaml', text, { permalink: '/x' }), /^fixed: permalink decides/)
  t.match(edit('yaml', text, { eleventyComputed: { x: 1 } }), /^fixed: eleventyComputed decides/)
  t.equal(edit('yaml', text, { body: '<b>z</b> {{ y }}' }), text.replace('>x<', '>z<'))
  t.match(edit('yaml', text, { body: '<b onclick="a()">x</b> {{ y }}' }), /^code:/)
  t.match(edit('yaml', text, { body: '<b>x</b> {{ z }}' }), /^code:/)
  t.equal(
    edit('yaml', text, { title: 'A\nlayout: x' }),
    text.replace('title: A', 'title: |-\n  A\n  layout: x'),
    'no new key',
  )
  t.end()
})

t.test('generated ids of rows are not written, and rows keep their text', (t) => {
  const text = 'rows:\n  - name: a   # first\n  - {name:   b}\n'
  const kind = dataFile(syntaxes.yaml)
  const [first, second] = ['itm_0123456789', 'itm_abcdefghij']
  const content = (rows: readonly Values[]) => ({ blocks: [{ id: 'data', type: 'Data', props: { rows } }] })
  const before = content([
    { name: 'a', id: first },
    { name: 'b', id: second },
  ])
  const after = content([
    { name: 'b', id: second },
    { name: 'new', id: 'itm_0000000001' },
    { name: 'a', id: first },
  ])
  t.strictSame(kind.patch(text, before, after), {
    text: 'rows:\n  - {name:   b}\n  - name: new\n  - name: a   # first\n',
  })
  t.end()
})

t.test('large files, those in a merge, and those nested by the thousand cost themselves', (t) => {
  const kind = dataFile(syntaxes.json)
  t.strictSame(kind.read(' '.repeat(1024 * 1024 + 1)), {
    unreadable: 'The file is larger than 1 MB.',
    line: 1,
  })
  t.strictSame(kind.read('{\n<<<<<<< ours\n'), { unreadable: 'The file has marks of a merge.', line: 2 })
  const deep = 100_000
  t.match(kind.read(`${'['.repeat(deep)}${']'.repeat(deep)}`), { unreadable: /nested too deep/ })
  t.match(dataFile(syntaxes.yaml).read('['.repeat(5000)), { unreadable: /./ })
  const bomb = `a: &a [x]\n${Array.from({ length: 40 }, (_, n) => `b${n}: &b${n} [*${n === 0 ? 'a' : `b${n - 1}`}, *a]\n`).join('')}`
  t.match(dataFile(syntaxes.yaml).read(bomb), { blocks: [{ type: 'Data' }] }, 'aliases are not followed')
  t.end()
})
