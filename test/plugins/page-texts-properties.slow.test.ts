import t from 'tap'
import { createPlaces } from '../../plugins/page-texts/port.ts'
import { renderedText } from '../../plugins/content/rendered-text.ts'
import { respelled } from '../../plugins/site/testing.ts'
import { filePage } from '../helpers/file-pages.ts'
import fc, { pick, costlyRuns, runs } from '../helpers/property.ts'

/** Markdown, and what a page shows of it. */
const pieces: readonly (readonly [source: string, shown: string])[] = [
  ['plain words', 'plain words'],
  ['**bold**', 'bold'],
  ['*in italics*', 'in italics'],
  ['[a link](https://example.com/a_b)', 'a link'],
  ['`code`', 'code'],
  [String.raw`\*not so\*`, '*not so*'],
  ['this &amp; that', 'this & that'],
  ['"quoted"', '“quoted”'],
  ['one -- two', 'one – two'],
  ['broken\nline', 'broken line'],
]
const paragraph = fc.array(pick(...pieces), { minLength: 1, maxLength: 8 })
const markdownOf = (parts: readonly (readonly string[])[]): string =>
  parts.map(([source]) => source).join(' ')
const shownOf = (parts: readonly (readonly string[])[]): string => parts.map(([, shown]) => shown).join(' ')

const placeOf = (markdown: string, shown: string) =>
  createPlaces([filePage('a.md', `${markdown}\n`)]).place({
    path: '/',
    texts: [shown],
    images: [],
    links: [],
    hints: [],
  }).places[0]

t.test('every rendered paragraph is found, and its segments spell it', (t) => {
  fc.assert(
    fc.property(paragraph, (parts) => {
      const place = placeOf(markdownOf(parts), shownOf(parts))
      const spelled = (place?.segments ?? []).map(([, , text]) => text).join('')
      return place?.kind === 'richtext' && renderedText(spelled).text === renderedText(shownOf(parts)).text
    }),
    { numRuns: runs(100) },
  )
  t.pass('they are found')
  t.end()
})

/** What is typed: words, and all that Markdown reads as marks. */
const typed = fc
  .array(
    pick(
      'x',
      'word',
      'é',
      ' ',
      '7',
      '<b>',
      '[',
      ']',
      '(',
      '*',
      '**',
      '_',
      '~',
      '`',
      '\\',
      '!',
      '&',
      ';',
      '#',
      '-',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((keys) => keys.join(''))

const isReadBack = (source: string, after: string, marks: number | undefined): boolean => {
  const found = placeOf(source, after)
  return found?.value === source && (marks === undefined || found.marks?.length === marks)
}

t.test('what is typed at any place of a paragraph is read back at that place, and all marks stay', (t) => {
  let [all, refused] = [0, 0]
  fc.assert(
    fc.property(paragraph, fc.nat(), typed, fc.boolean(), (parts, at, text, isBehind) => {
      const shown = shownOf(parts)
      const place = placeOf(markdownOf(parts), shown)
      if (!place) return false
      const from = 1 + (at % Math.max(1, shown.length - 1))
      const source = respelled(place, shown, [{ from, to: from, text, isBehind }])
      all += 1
      if (source === undefined) refused += 1
      const after = shown.slice(0, from) + text + shown.slice(from)
      return source === undefined || isReadBack(source, after, place.marks?.length)
    }),
    { numRuns: costlyRuns(1000) },
  )
  t.ok(refused < all / 10, `${refused} of ${all} are refused`)
  t.end()
})

t.test('what is replaced in any part of a paragraph is read back', (t) => {
  let [all, refused] = [0, 0]
  const text = fc.oneof(fc.constant(''), typed)
  fc.assert(
    fc.property(paragraph, fc.nat(), fc.nat(), fc.nat(), text, (parts, n, start, length, text) => {
      const shown = shownOf(parts)
      const place = placeOf(markdownOf(parts), shown)
      if (!place) return false
      const at = n % parts.length
      const before = shownOf(parts.slice(0, at)).length + (at === 0 ? 0 : 1)
      const [, part = ''] = parts[at] ?? []
      const from = before + (start % part.length)
      const to = from + 1 + (length % (before + part.length - from))
      const after = shown.slice(0, from) + text + shown.slice(to)
      // A text without letters is none that is edited.
      if (!/\p{L}/u.test(after)) return true
      const source = respelled(place, shown, [{ from, to, text, isBehind: from > before }])
      all += 1
      if (source === undefined) refused += 1
      return source === undefined || isReadBack(source.trim(), after, undefined)
    }),
    { numRuns: costlyRuns(1000) },
  )
  t.ok(refused < all / 10, `${refused} of ${all} are refused`)
  t.end()
})

t.test('a blank at the end of a text is written with what is typed behind it', (t) => {
  const after = (kind: string, text: string) =>
    respelled({ value: 'Boats', kind }, 'Boats', [{ from: 5, to: 5, text, isBehind: true }])
  t.equal(after('text', ' of '), 'Boats of')
  t.equal(after('text', ' of oak'), 'Boats of oak')
  t.equal(after('code', '\n'), 'Boats\n')
  t.end()
})

t.test('between documents with equal texts the own one is chosen, in its order', (t) => {
  const words = fc.array(pick('Usage', 'Notes', 'Install', 'More'), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(words, words, (own, others) => {
      const long = [
        'A first text that only this one of the documents has.',
        'A second text that only this one of the documents has.',
      ]
      const page = filePage('own.md', ['# Own', ...long, ...own].join('\n\n'))
      const places = createPlaces([page, filePage('other.md', ['# Other', ...others].join('\n\n'))])
      const { places: found } = places.place({
        path: '/',
        texts: ['Own', ...long, ...own],
        images: [],
        links: [],
        hints: [],
      })
      return found.length === own.length + 3 && found.every(({ blockId }, n) => blockId === `own.md#${n}`)
    }),
    { numRuns: runs(100) },
  )
  t.pass('each text is the one at its place')
  t.end()
})
