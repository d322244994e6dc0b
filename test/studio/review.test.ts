import t from 'tap'
import fc from '../helpers/property.ts'
import { diffPage } from '../../plugins/content/diff/index.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { unpublishedChanges } from '../../plugins/content/unpublished.ts'
import { isOther } from '../../plugins/studio/app/review/other-text.ts'
import { linksTo, renamesIn, withoutFollowed } from '../../plugins/studio/app/review/followed-links.ts'
import { wordDiff } from '../../plugins/studio/app/review/word-diff.ts'
import { longestRising, movesIn, ordinal, hasMoveOf } from '../../plugins/studio/app/stores/moves.ts'
import { asItWas, broughtBy, goingAlong } from '../../plugins/studio/app/stores/published-changes.ts'
import { fieldChanges } from '../../plugins/studio/app/stores/row-changes.ts'

const placed = (before: string, after: string) =>
  [...new Set(before + after)].map((blockId) => ({
    blockId,
    type: 'Hero',
    status: 'moved' as const,
    ...(before.includes(blockId) && { positionBefore: before.indexOf(blockId) }),
    ...(after.includes(blockId) && { positionAfter: after.indexOf(blockId) }),
  }))

t.test('links that follow a renamed page are counted, and other changes beside them stay', async (t) => {
  const block = (blockId: string, ...fields: readonly (readonly [before: unknown, after: unknown])[]) => ({
    blockId,
    type: 'Hero',
    status: 'modified' as const,
    positionBefore: 0,
    positionAfter: 0,
    fieldDiffs: fields.map(([before, after], at) => ({
      path: `f${at}`,
      kind: 'text' as const,
      before,
      after,
    })),
  })
  const renamed = { slug: '/rates', slugBefore: '/prices', status: 'modified' as const, blockDiffs: [] }
  const blockDiffs = [
    block('link', ['/prices', '/rates'], ['/prices#top', '/rates#top']),
    block('text', ['See [prices](/prices).', 'See [prices](/rates).']),
    block('both', ['/prices', '/rates'], ['Old', 'New']),
    block('words', ['See [prices](/prices).', 'See [rates](/rates).']),
    block('longer', ['/prices/old', '/rates/old'], ['/my/prices', '/my/rates'], [undefined, '/rates']),
  ]
  const page = { slug: '/', status: 'modified' as const, blockDiffs }
  const { page: shown, counts } = withoutFollowed(page, renamesIn([page, renamed]))
  t.strictSame([...counts], [['/rates', 4]])
  t.equal(linksTo('/rates', [page, renamed]), 4)
  t.match(shown.blockDiffs, [
    { status: 'unchanged' },
    { status: 'unchanged' },
    { status: 'modified', fieldDiffs: [{ path: 'f1' }] },
    ...blockDiffs.slice(3),
  ])
  t.equal(withoutFollowed(page, new Map()).page, page)
})

t.test('as few blocks as possible are moved', async (t) => {
  const rows: readonly (readonly [before: string, after: string, moves: object])[] = [
    ['abcd', 'abcd', {}],
    ['abcd', 'dabc', { d: { from: 4, to: 1 } }],
    ['abcd', 'bcda', { a: { from: 1, to: 4 } }],
    ['abcd', 'acbd', { c: { from: 3, to: 2 } }],
    ['abcd', 'axbcd', {}],
    ['abcd', 'acd', {}],
    ['abcd', 'dxac', { d: { from: 4, to: 1 } }],
    ['abcd', 'xabdc', { d: { from: 4, to: 4 } }],
  ]
  for (const [before, after, moves] of rows)
    t.strictSame(Object.fromEntries(movesIn(placed(before, after))), moves, `${before} to ${after}`)
})

t.test('of two neighbours the one has moved that the log names', async (t) => {
  const diffs = placed('abcd', 'acbd').map((each) => ({ ...each, type: each.blockId.toUpperCase() }))
  for (const [name, moves] of [
    ['B', { b: { from: 2, to: 3 } }],
    ['C', { c: { from: 3, to: 2 } }],
  ] as const) {
    const summaries = [`Undo of ${name.toLowerCase()} moved on page "Home"`]
    t.strictSame(Object.fromEntries(movesIn(diffs, hasMoveOf(summaries))), moves)
  }
})

t.test('a row stays itself where others were added, deleted or moved', async (t) => {
  const card = (name: string) => ({ title: name, text: `About ${name}`, cta: 'Book' })
  const cards = (names: string) => [...names].map(card)
  const texts = (before: readonly object[], after: readonly object[], side: 'before' | 'after' = 'after') => {
    const block = (rows: readonly object[]) => [{ id: 'b', type: 'CardGrid', props: { cards: rows } }]
    const page = (rows: readonly object[]) => ({
      id: 'p',
      slug: '/',
      title: 'P',
      updatedAt: '',
      blocks: block(rows),
    })
    const known = { registry: builtinRegistry }
    const [diff] = diffPage(page(after), page(before), known).blockDiffs
    const own = side === 'after' ? after : before
    const [change] = fieldChanges(diff?.fieldDiffs ?? [], { cards: own }, side)
    return [
      ...(change?.moves ?? []).map(({ text, from, to }) => `${text} ${from} ${to}`),
      ...(change?.diffs ?? []).map(
        ({ path, before, after }) => `${path} ${textOf(before)} > ${textOf(after)}`,
      ),
    ]
  }
  const textOf = (value: unknown) =>
    typeof value === 'object' ? Reflect.get(value ?? {}, 'title') : (value ?? '')
  for (const [before, after, expected] of [
    ['abc', 'cab', ['c 3 1']],
    ['abc', 'abd', ['cards[2].title c > d', 'cards[2].text About c > About d']],
    ['abc', 'bc', ['cards[0] a > ']],
    ['abc', 'xabc', ['cards[0]  > x']],
    ['abcd', 'dab', ['d 4 1', 'cards[2] c > ']],
    ['a', 'ab', ['cards[1]  > b']],
    ['ab', '', ['cards[0] a > ', 'cards[1] b > ']],
  ] as const)
    for (const side of ['before', 'after'] as const)
      t.strictSame(texts(cards(before), cards(after), side), expected, `${before} to ${after}, ${side} known`)
  const changed = [card('x'), { ...card('a'), cta: 'Call' }]
  t.strictSame(texts([card('a')], changed), ['cards[0]  > x', 'cards[1].cta Book > Call'], 'by what is alike')
  const named = (id: string, title: string) => ({ id, title })
  t.strictSame(
    texts([named('1', 'a'), named('2', 'b')], [named('2', 'c')]),
    ['cards[0].title b > c', 'cards[0] a > '],
    'by its id',
  )
})

t.test('the changes of a page since its last publish are found, also before it was renamed', (t) => {
  const change = (version: number, slugs: string[], more = {}) => ({
    version,
    channel: 'api',
    source: 'direct',
    slugs,
    ...more,
  })
  const brought = (version: number, ...modified: string[]) => ({
    status: 'success',
    version,
    changes: { added: [], removed: [], modified, siteConfigFields: 0 },
  })
  const log = [
    change(7, ['/b']),
    change(6, ['/b'], { renamed: [{ from: '/a', to: '/b' }], removedSlugs: ['/a'] }),
    change(5, ['/a'], { source: 'site' }),
    change(4, [], { configChanged: true }),
    change(3, ['/a', '/x']),
    change(2, [], { removedSlugs: ['/y'] }),
    change(1, ['/a']),
  ]
  const found = (slug: string, ...publishes: Parameters<typeof unpublishedChanges>[2]) =>
    unpublishedChanges([slug], log, publishes).map(({ version }) => version)
  t.strictSame(found('/b'), [7, 6, 3, 1])
  t.strictSame(found('/b', brought(1, '/a')), [7, 6, 3], 'published at its former address')
  t.strictSame(found('/b', brought(3, '/x')), [7, 6, 3, 1], 'another page was published')
  t.strictSame(found('/b', { status: 'success', version: 3 }), [7, 6], 'no list: all was published')
  t.strictSame(found('/b', { status: 'failed', version: 3 }), [7, 6, 3, 1])
  t.strictSame(found('/b', { ...brought(7, '/b'), rolledBackTo: 'x' }), [7, 6, 3, 1], 'it is of before')
  t.strictSame(found('/a'), [6, 3, 1], 'another page may have the address since')
  t.strictSame(found('/y'), [2])
  t.strictSame(found(''), [4])
  t.end()
})

t.test('a publish names the pages that it brought, deleted ones first', async (t) => {
  const none = { added: [], modified: [], removed: [], siteConfigFields: 0 }
  const said = (what: Partial<Parameters<typeof broughtBy>[0]>) =>
    broughtBy({ ...none, ...what }, (slug) => slug.toUpperCase())
  t.equal(said({}), '')
  t.equal(said({ modified: ['a'], added: ['b'], removed: ['c'] }), 'C (deleted), B (new), A')
  t.equal(said({ modified: ['a'], siteConfigFields: 2 }), 'A, site settings')
  t.equal(said({ modified: [...'abcdefg'] }), 'A, B, C, D, E, F, G')
  t.equal(said({ modified: [...'abcdefgh'] }), 'A, B, C, D, E, F, 2 more pages')
})

t.test('the settings that go along with their pages are named', async (t) => {
  const label = (slug: string) => ({ path: `navLabels[${JSON.stringify(slug)}]`, before: 'A', after: 'B' })
  const group = (before: readonly string[], after: readonly string[]) => ({
    path: 'navGroups["Work"]',
    before,
    after,
  })
  const said = (page: object, ...settings: readonly { path: string }[]) =>
    goingAlong(settings, [{ slug: '/rates', status: 'modified', ...page }], () => 'Pricing')
  const renamed = 'The menu entry of Pricing goes along: its page was renamed.'
  t.strictSame(said({ slugBefore: '/prices' }, label('/rates'), label('/prices')), [renamed])
  t.strictSame(said({ titleBefore: 'Prices' }, label('/rates')), [renamed])
  t.strictSame(said({ slugBefore: '/prices' }, group(['/prices', '/'], ['/rates', '/'])), [renamed])
  t.strictSame(said({ slugBefore: '/prices' }, label('/rates'), { path: 'redirects["/prices"]' }), [
    'The menu entry and the old address of Pricing go along: its page was renamed.',
  ])
  t.match(said({ status: 'added' }, group([], ['/rates'])), [/its page is new\.$/])
  t.match(said({ status: 'removed' }, label('/rates')), [/its page is deleted\.$/])
  t.match(said({}, label('/rates')), [/its page is published\.$/])
  for (const settings of [[label('/about')], [{ path: 'name' }], [group([], ['/rates'])], []])
    t.strictSame(said({}, ...settings), [])
  t.strictSame(said({ status: 'unchanged' }, label('/rates')), [])
})

t.test('what waits for its publish is named as it was then', async (t) => {
  const none = { added: [], modified: [], removed: [], siteConfigFields: 0, fields: 0 }
  const titles = { '/': 'Home', '/about': 'About' }
  const now = new Date().toISOString()
  const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(now))
  const said = (what: object, at = now) => asItWas({ ...none, titles, ...what }, at)
  t.equal(said({ modified: ['/'] }), `Home, as it was at ${clock}`)
  t.equal(said({ modified: ['/', '/about'] }), `Home and About, as they were at ${clock}`)
  t.equal(said({ modified: ['/'], siteConfigFields: 1 }), `Home and site settings, as they were at ${clock}`)
  t.equal(said({ siteConfigFields: 1 }), `Site settings, as they were at ${clock}`)
  t.match(said({ modified: ['/'] }, '2026-05-03T12:25:00.000Z'), /^Home, as it was on .*3.*2026/)
  t.equal(asItWas(undefined, now), `The draft, as it was at ${clock}`)
})

t.test('a longest rising subsequence rises, and no longer one exists', async (t) => {
  const longest = (numbers: readonly number[]): number =>
    Math.max(
      0,
      ...numbers.map((number, at) => 1 + longest(numbers.slice(at + 1).filter((later) => later > number))),
    )
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { maxLength: 8 }), (numbers) => {
      const chosen = [...longestRising(numbers)].toSorted((a, b) => a - b).map((at) => numbers[at] ?? 0)
      return (
        chosen.length === longest(numbers) &&
        chosen.every((each, at) => at === 0 || (chosen[at - 1] ?? 0) < each)
      )
    }),
  )
  t.pass('for lists by chance')
})

t.test('places are words', async (t) => {
  t.strictSame([1, 2, 3, 4, 11, 12, 13, 21, 102].map(ordinal), [
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
  ])
})

t.test('the address of a link is one word, apart from its text', async (t) => {
  const marked = (before: string, after: string): string =>
    (wordDiff(before, after) ?? [])
      .map(({ value, added, removed }) => (added ? `+${value}+` : removed ? `-${value}-` : value))
      .join('')
  for (const [before, after, expected] of [
    ['See prices (/pricing) today', 'See prices (/prices) today', 'See prices -(/pricing)-+(/prices)+ today'],
    ['See prices (/a)', 'See costs (/a)', 'See -prices-+costs+ (/a)'],
    [
      'At https://a.example/x now',
      'At https://a.example/y now',
      'At -https://a.example/x-+https://a.example/y+ now',
    ],
    ['Mail (mailto:a@b.example)', 'Mail', 'Mail- (mailto:a@b.example)-'],
    ['Open (daily) now', 'Open (always) now', 'Open (-daily-+always+) now'],
  ] as const)
    t.equal(marked(before, after), expected)
})

t.test('words are marked only while most of them stay', async (t) => {
  const rows: readonly (readonly [before: string, after: string, isOther: boolean])[] = [
    ['Bring it in today', 'Come by today', true],
    ['Your bike, ready for every day', 'Your bike, ready for a rainy day', false],
    ['Open daily.', 'Open daily. On Sundays we bake bread and serve coffee from nine to five.', false],
    ['', 'New', false],
    ['今日は休みです', '明日は開いています', true],
  ]
  for (const [before, after, other] of rows)
    t.equal(isOther(wordDiff(before, after) ?? []), other, `${before} to ${after}`)
})
