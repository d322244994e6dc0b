import t from 'tap'
import {
  createJsonReader,
  type Path,
  readJson,
  createPlanStream,
  wordsOf,
} from '../../../plugins/chat/model/testing.ts'
import type { RunEvent } from '../../../plugins/chat/port.ts'
import { inputFor } from '../../helpers/model-planner.ts'
import fc, { anyText as text, runs } from '../../helpers/property.ts'

/** Splits a text into pieces of these lengths, repeatedly. */
function splitText(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0, n = 0; at < text.length; n += 1) {
    const size = Math.max(1, sizes[n % sizes.length] ?? text.length)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

function read(pieces: readonly string[]) {
  const events: unknown[] = []
  const values: unknown[] = []
  const texts = new Map<string, string>()
  const reader = createJsonReader({
    grew(path: Path, piece) {
      events.push(['grew', path, piece])
      texts.set(JSON.stringify(path), (texts.get(JSON.stringify(path)) ?? '') + piece)
    },
    closed(path, value) {
      events.push(['closed', path, value])
      if (path.length === 0) values.push(value)
    },
  })
  for (const piece of pieces) reader.push(piece)
  return { events, values, texts, isLost: reader.end() === undefined }
}

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
})).value
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })
const indent = fc.constantFrom('', '  ', '\t')

t.test('any JSON split at any point yields the same value and the same events', (t) => {
  fc.assert(
    fc.property(fc.array(value), sizes, indent, (list, sizes, indent) => {
      const json = JSON.stringify({ list }, null, indent)
      const complete = read([json])
      t.strictSame(complete.values, [JSON.parse(json)])
      t.strictSame(readJson(`So: ${json} Done.`), { value: JSON.parse(json), repairs: ['text around it'] })
      t.strictSame(read(splitText(json, sizes)).events, complete.events)
    }),
    { numRuns: runs(100) },
  )
  t.end()
})

t.test('escapes are read wherever they are split, and no surrogate pair is emitted in halves', (t) => {
  const json = String.raw`{"a":"\u00fc\ud83e\udd51\n\"\\\/x","b":"🥑🥑🥑🥑🥑🥑🥑🥑🥑🥑🥑🥑"}`
  for (let size = 1; size < 12; size += 1) {
    const { values, events } = read(splitText(json, [size]))
    t.strictSame(values, [{ a: 'ü🥑\n"\\/x', b: '🥑'.repeat(12) }])
    for (const [kind, , piece] of events.filter(Array.isArray))
      if (kind === 'grew') t.ok(String(piece).isWellFormed())
  }
  t.end()
})

t.test('invalid JSON ends the reading, and no further events are emitted', (t) => {
  const wrong = [
    '{]',
    '{"a":[}',
    '{"a"}',
    '{"a":,}',
    '{"a":[01]}',
    '{"a":[tru]}',
    '{"a":[1 2]}',
    '{"a" 1}',
    '{a:1}',
    '{"a":["\\x"]}',
    '{"a":["\\u00g0"]}',
    '{"a":[-x]}',
    `{"a":${'['.repeat(64)}`,
    '{"a":[1]]}',
  ]
  for (const json of wrong) {
    for (const pieces of [[json, ' ', '"more"'], splitText(`${json} "more"`, [1])]) {
      const { isLost, events } = read(pieces)
      t.ok(isLost, json)
      t.notMatch(JSON.stringify(events), 'more', json)
    }
  }
  t.end()
})

/** What a plan reports while it arrives in pieces. */
function streamPlan(pieces: readonly string[], emit: (event: RunEvent) => void) {
  const begin = createPlanStream(
    { id: 'run', signal: new AbortController().signal, emit },
    { input: inputFor(''), words: wordsOf(''), now: new Date(0) },
  )
  const push = begin()
  for (const piece of pieces) push(piece)
}

t.test('reading takes linear time, also in pieces of one character', (t) => {
  const plan = (words: number) =>
    JSON.stringify({
      summary_for_user: 'x',
      ops: [{ op: 'update_props', blockId: 'b', patch: { body: 'word '.repeat(words) } }],
    })
  // Quadratic time would exceed the time limit of the file.
  for (const json of [plan(10_000), plan(160_000)]) {
    let characters = 0
    streamPlan(
      splitText(json, [1]),
      (event) => void (characters += event.type === 'field_draft' ? event.value.length : 0),
    )
    t.ok(characters < json.length * 14, 'the drafts of a field add up to a few times its length')
  }
  t.end()
})

/** What a plan reports, without the names of the events. */
function readPlan(pieces: readonly string[]) {
  const events: unknown[] = []
  streamPlan(pieces, (event) => {
    if (event.type === 'summary_token') events.push(['summary', event.text])
    if (event.type === 'changelog_entry') events.push(['change', event.entry])
    if (event.type === 'op_candidate') events.push(['operation', event.op])
    if (event.type !== 'field_draft') return
    const { type: _, ...field } = event
    events.push(['draft', field])
  })
  return events
}

t.test('a plan stream emits summary, lines, fields and operations in the order of the text', (t) => {
  const op = {
    op: 'update_props',
    pageSlug: '/',
    blockId: 'b_1',
    patch: { heading: 'Two words', cards: [{ title: 'Deep' }] },
  }
  const plan = {
    intent: 'edit_plan',
    summary_for_user: 'I will do it.',
    change_log: ['One', 'Two'],
    ops: [op, { op: 'add_item', pageSlug: '/', blockId: 'b_1', listKey: 'items', item: { title: 'x' } }],
  }
  const about = { blockId: 'b_1', pageSlug: '/' }
  const expected = [
    ['summary', 'I '],
    ['summary', 'will '],
    ['summary', 'do '],
    ['summary', 'it.'],
    ['change', 'One'],
    ['change', 'Two'],
    ['draft', { ...about, editablePath: 'heading', value: 'Two words' }],
    ['draft', { ...about, editablePath: 'cards[0].title', value: 'Deep' }],
    ['operation', op],
    ['operation', plan.ops[1]],
  ]
  for (let size = 1; size < 20; size += 1)
    t.strictSame(readPlan(splitText(JSON.stringify(plan), [size])), expected)
  t.end()
})

t.test('field drafts are emitted only for an update whose block is known by then', (t) => {
  const update = { op: 'update_props', blockId: 'b_1' }
  const patch = { heading: 'Hello' }
  const plans: readonly (readonly object[])[] = [
    [{ op: 'update_props', patch, blockId: 'b_1' }],
    [{ op: 'update_item', blockId: 'b_1', patch: { q: 'Hello' } }],
    [
      { ...update, patch: {} },
      { op: 'update_props', patch },
    ],
  ]
  for (const ops of plans) t.notMatch(JSON.stringify(readPlan([JSON.stringify({ ops })])), '"draft"')
  t.end()
})

t.test('a long field is emitted repeatedly until it is complete', (t) => {
  const body = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ')
  const plan = JSON.stringify({ ops: [{ op: 'update_props', blockId: 'b_1', patch: { body } }] })
  const values = readPlan([plan]).flatMap((each) =>
    Array.isArray(each) && each[0] === 'draft' ? [String(each[1].value)] : [],
  )
  t.ok(values.length > 10)
  t.equal(values.at(-1), body)
  for (const [at, value] of values.entries()) t.ok(at === 0 || value.startsWith(values[at - 1] ?? ''))
  t.end()
})
