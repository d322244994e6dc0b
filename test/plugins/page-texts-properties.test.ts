import t from 'tap'
import { createPlaces } from '../../plugins/page-texts/port.ts'
import { renderedText } from '../../plugins/content/rendered-text.ts'
import { respelled } from '../../plugins/site/testing.ts'
import { filePage } from '../helpers/file-pages.ts'
import fc, { pick, runs } from '../helpers/property.ts'

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

t.test('what is typed at any place of a paragraph is read back at that place, and all marks stay', (t) => {
  const typed = fc.array(pick('x', 'word', 'é', '<b>', '[', '7'), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(paragraph, fc.nat(), typed, fc.boolean(), (parts, at, keys, isBehind) => {
      const shown = shownOf(parts)
      const place = placeOf(markdownOf(parts), shown)
      if (!place) return false
      const from = 1 + (at % Math.max(1, shown.length - 1))
      const isInCode = parts.some(([source]) => source === '`code`')
      const text = isInCode ? 'word' : keys.join('')
      const source = respelled(place, shown, [{ from, to: from, text, isBehind }])
      const after = shown.slice(0, from) + text + shown.slice(from)
      const found = placeOf(source ?? '', after)
      return found?.marks?.length === place.marks?.length && found?.value === source
    }),
    { numRuns: runs(300) },
  )
  t.pass('they are read back')
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
