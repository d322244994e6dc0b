import t, { type Test } from 'tap'
import type { Page, Props } from '../../../plugins/content/model.ts'
import { planByRules } from '../../../plugins/chat-rules/plan-by-rules.ts'
import { germanExamples } from '../../fixtures/chat/examples-de.ts'
import { examples } from '../../fixtures/chat/examples.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { inputFor, planFor } from '../../helpers/chat-rules.ts'

const sizes = [10, 100, 1_000, 10_000]
/** Maximum factor in time for a draft ten times as large; n log n gives 13, n² up to 100. */
const mostGrowth = 18
/** Measurement noise in CPU time, such as garbage collection. */
const noiseMs = 60
const attempts = 6

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The kayak site with additional blocks on each page, pages with repeated titles, or rows in each list. */
const grown: Readonly<Record<string, (count: number) => readonly Page[]>> = {
  blocks: (count) => kayakPages.map((page) => ({
    ...page,
    blocks: [...page.blocks, ...range(count).map((n) => {
      const { type, props } = page.blocks[n % page.blocks.length] ?? { type: 'RichText', props: {} }
      return { id: `b_more_${page.id}_${n}`, type, props: { ...props } }
    })],
  })),
  pages: (count) => [...kayakPages, ...range(count).map((n): Page => ({ id: `p_more_${n}`, slug: `/more-${n}`, title: `Page ${n % 100}`, updatedAt: '2026-01-01T00:00:00.000Z', blocks: [{ id: `b_more_${n}`, type: 'RichText', props: { title: 'Our story', body: 'briefing' } }] }))],
  rows: (count) => kayakPages.map((page) => ({ ...page, blocks: page.blocks.map((block) => ({ ...block, props: withRows(block.props, count) })) })),
}

const withRows = (props: Props, count: number): Props => Object.fromEntries(Object.entries(props).map(([name, value]) =>
  [name, Array.isArray(value) && value.length > 0 ? [...value, ...range(count).map((n): unknown => value[n % value.length])] : value]))

const messages = [...examples.map((row) => ({ ...row, locale: 'en' })), ...germanExamples.map((row) => ({ ...row, locale: 'de' }))].filter(({ message }) => message !== '')

const kinds = Object.keys(grown)

/** Fails if planning time grows too steeply in every attempt. */
function checkGrowth(t: Test, kind: string): void {
  const drafts = sizes.map((size) => ({ version: 3, pages: grown[kind]?.(size) ?? [], config: {} }))
  for (const [index, { at, message, locale }] of messages.entries()) {
    // Each message is tried on one kind of draft only, to save time.
    if (index % kinds.length !== kinds.indexOf(kind)) continue
    const durations = drafts.map(() => Infinity)
    const isSteep = (place: number) => (durations[place] ?? 0) > noiseMs + mostGrowth * (durations[place - 1] ?? 0)
    for (let attempt = 0; attempt === 0 || (attempt < attempts && durations.some((_, place) => place > 0 && isSteep(place))); attempt += 1) {
      drafts.forEach((draft, place) => {
        const start = process.threadCpuUsage()
        planByRules(inputFor(at, message, { locale, draft, maxOperations: 200 }))
        durations[place] = Math.min(durations[place] ?? Infinity, process.threadCpuUsage(start).user / 1000)
      })
    }
    t.notOk(durations.some((_, place) => place > 0 && isSteep(place)), `${message} (${at}): ${durations.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  }
  t.end()
}

t.test('the cost of a message is not quadratic in the number of blocks', (t) => checkGrowth(t, 'blocks'))
t.test('the cost of a message is not quadratic in the number of pages', (t) => checkGrowth(t, 'pages'))
t.test('the cost of a message is not quadratic in the number of rows', (t) => checkGrowth(t, 'rows'))

t.test('of many choices ten are listed, with the number of the remaining ones', (t) => {
  const draft = { version: 3, pages: grown['blocks']?.(10_000) ?? [], config: {} }
  for (const [locale, more] of [['en', /There are \d{4} more: name the one you mean, or select it\.$/], ['de', /Es gibt \d{4} weitere: bitte nennen oder auswählen\.$/]] as const) {
    const asked = planFor('/', 'remove the rich text', { draft, locale })
    t.match(asked, { kind: 'question', question: more, open: { memory: { choices: { length: 10 } } } })
  }
  const asked = 'remove the rich text'
  t.match(planFor('/', 'the second one', { draft, asked }), { kind: 'plan', plan: { ops: [{ op: 'remove_block', blockId: 'b_text_2' }] } })
  t.equal(planFor('/', 'the last one', { draft, asked }).kind, 'unsupported', 'it was not listed')
  t.equal(planFor('/', '11', { draft, asked }).kind, 'unsupported')
  const pages = { version: 3, pages: grown['pages']?.(100) ?? [], config: {} }
  t.match(planFor('/', 'remove the pricing page', { draft: pages }), { kind: 'question', question: /There are \d\d more/, open: { memory: { choices: { length: 10 } } } })
  t.match(planFor('/about', 'delete this page and change the headline to "x"', { draft: pages }), { kind: 'question', question: /(?:[^,]*,){9}[^,]* and \d\d more\?$/ })
  t.match(planFor('/about', 'delete this page and change the headline to "x"', { draft: pages, locale: 'de' }), { question: / und \d\d weitere\?$/ })
  t.end()
})

t.test('a message that needs more operations than a plan may have is answered with a question', (t) => {
  const draft = { version: 3, pages: grown['blocks']?.(1_000) ?? [], config: {} }
  for (const message of ['remove everything', 'Replace "briefing" with "short briefing"']) {
    t.match(planFor('/', message, { draft, maxOperations: 20 }), { kind: 'question', question: /more than 20 changes at once/ }, message)
    t.match(planFor('/', message, { draft, maxOperations: 20, locale: 'de' }), { kind: 'question', question: /mehr als 20 Änderungen/ }, message)
  }
  t.equal(planFor('/', 'remove everything', { draft: { version: 3, pages: grown['blocks']?.(3) ?? [], config: {} }, maxOperations: 20 }).kind, 'plan')
  t.end()
})

t.test('a text is replaced wherever it occurs, up to a limit', (t) => {
  const replace = (count: number) => {
    const pages: readonly Page[] = [{ id: 'p', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks: [{ id: 'b', type: 'RichText', props: { title: 't', body: 'x '.repeat(count) } }] }]
    return planByRules(inputFor('/', 'replace "x" with "y"', { draft: { version: 1, pages, config: {} } }))
  }
  t.match(replace(50_000), { kind: 'plan', plan: { ops: [{ op: 'update_props', patch: { body: 'y '.repeat(50_000) } }] } })
  t.not(replace(50_001).kind, 'plan')
  t.end()
})
