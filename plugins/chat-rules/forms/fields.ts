/** Forms that change the texts, links, images and settings of blocks and rows. */
import { labelOf } from '../../content/fields.ts'
import type { Operation } from '../../content/operations/index.ts'
import { ownValue } from '../../content/plain-object.ts'
import { type Change, form, type Form } from '../match.ts'
import { fieldNamed, fieldsOf, focusedField, type Found, mainFields, one, rowsOf } from '../references.ts'
import { texts } from '../texts.ts'
import type { Token } from '../tokens.ts'
import { isRequired, setFields, type Value, valueFor } from '../values.ts'
import { allBlocks, ask, type BlockAt, blocksOn, type FieldAt, type RowAt, type Work } from '../work.ts'

const textKinds: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt'])

function set(work: Work, field: FieldAt, value: Value): Change {
  const wanted = valueFor(work, field, value)
  return wanted === undefined ? undefined : setFields(field.at, { [field.name]: wanted })
}

const setFound = (
  work: Work,
  { FIELD, VALUE }: { readonly FIELD: Found<FieldAt>; readonly VALUE: Value },
): Change => set(work, one(work, FIELD), VALUE)

/** After "make", a text without quotes is a wish. */
const make = (
  work: Work,
  { FIELD, VALUE }: { readonly FIELD: Found<FieldAt>; readonly VALUE: Value },
): Change =>
  VALUE.isQuoted || !FIELD.candidates.every(({ meta }) => textKinds.has(meta.kind))
    ? setFound(work, { FIELD, VALUE })
    : undefined

/** Sets the main field of a block or row. */
function setMain(work: Work, at: BlockAt | RowAt, value: Value): Change {
  const name = mainFields.find((each) => Object.hasOwn(fieldsOf(at), each))
  const field = fieldNamed(at, name)
  return field && set(work, field, value)
}

const clear = (work: Work, { FIELD }: { readonly FIELD: Found<FieldAt> }): Change => {
  const field = one(work, FIELD)
  const label = labelOf(field.name, field.meta)
  if (typeof field.value !== 'string' && field.value !== undefined) ask(texts.notByText(label))
  if (isRequired(field)) ask(texts.mustNotBeEmpty(label))
  return setFields(field.at, { [field.name]: '' })
}

const isLink = ({ meta: { kind } }: FieldAt): boolean => kind === 'url' || kind === 'link'

/** Sets a link, or the link of a button. */
function link(
  work: Work,
  { FIELD, VALUE }: { readonly FIELD: Found<FieldAt>; readonly VALUE: Value },
): Change {
  const field = one(work, FIELD)
  const target = isLink(field) ? field : fieldNamed(field.at, field.name.replace(/Text$/, 'Href'))
  return target && isLink(target) ? set(work, target, VALUE) : undefined
}

/** Replaces whole words in the text fields of some blocks. */
function replace(blocks: readonly BlockAt[], { text: wanted }: Token, { text: by, isQuoted }: Value): Change {
  if (!isQuoted) return undefined
  if (wanted.trim() === '') ask(texts.emptyValue)
  let read = 0
  const ops = blocks
    .flatMap((at): readonly (BlockAt | RowAt)[] => [at, ...rowsOf(at)])
    .flatMap((at): readonly Operation[] => {
      const values = 'listKey' in at ? at.row : at.block.props
      const fields = Object.entries(fieldsOf(at)).filter(([, { kind }]) => textKinds.has(kind))
      const changed = fields.flatMap(([name, meta]): readonly (readonly [string, string])[] => {
        const value = ownValue(values, name)
        if (typeof value !== 'string' || !value.includes(wanted)) return []
        if ((read += value.length) > mostCharacters) ask(texts.tooLong)
        const after = replaceWords(value, wanted, by)
        if (after === value) return []
        if (after.trim() === '' && isRequired({ at, name, meta, value }))
          ask(texts.mustNotBeEmpty(labelOf(name, meta)))
        return [[name, after]]
      })
      return changed.length > 0 ? setFields(at, Object.fromEntries(changed)) : []
    })
  return ops.length > 0 ? ops : ask(texts.textNotFound(wanted))
}

/** Replaces a text where it stands as whole words, outside of the addresses of links; linear in both texts. */
function replaceWords(text: string, wanted: string, by: string): string {
  const isLetter = (character = '') => /[\p{L}\p{M}\p{N}]/u.test(character)
  const [startsWord, endsWord] = [isLetter(wanted[0]), isLetter(wanted.at(-1))]
  const isInLink = linkReader(text)
  const parts: string[] = []
  let copied = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, Math.max(at + 1, copied))) {
    const end = at + wanted.length
    if ((startsWord && isLetter(text[at - 1])) || (endsWord && isLetter(text[end])) || isInLink(at)) continue
    parts.push(text.slice(copied, at), by)
    copied = end
    if (parts.length * by.length > longestResult) ask(texts.tooLong)
  }
  return parts.join('') + text.slice(copied)
}

/** Bounds the time for one message. */
const mostCharacters = 300_000
const longestResult = 1_000_000

/** Reads a text once: whether increasing positions are in the address of a Markdown link. */
function linkReader(text: string): (at: number) => boolean {
  let [read, isInside] = [0, false]
  return (at) => {
    for (; read < at; read += 1) {
      if (text[read] === ')') isInside = false
      else if (text.startsWith('](', read)) isInside = true
    }
    return isInside
  }
}

export const fieldForms: readonly Form[] = [
  form('set|change|update|rename FIELD to|: VALUE', setFound, [
    ['/', 'Change the headline to "Meet the water"', 'set b_hero_1 {heading: "Meet the water"}'],
    [
      '/',
      "set the hero heading to 'Slow mornings, calm water'",
      'set b_hero_1 {heading: "Slow mornings, calm water"}',
    ],
    ['/', 'Rename the hero button to "Reserve a seat"', 'set b_hero_1 {ctaText: "Reserve a seat"}'],
    [
      '/',
      'Set the CTA description to "Choose a date, we bring the boats"',
      'set b_cta_1 {description: "Choose a date, we bring the boats"}',
    ],
    ['/', 'change the CTA section\'s button text to "Count me in"', 'set b_cta_1 {ctaText: "Count me in"}'],
    ['/', 'Change the eyebrow to "Open all year"', 'set b_hero_1 {eyebrow: "Open all year"}'],
    [
      '/',
      'set the hero heading to "North wind" and the subheading to "Tours from May"',
      'set b_hero_1 {heading: "North wind", subheading: "Tours from May"}',
    ],
    ['/', 'set the second section\'s title to "Reasons to come"', 'set b_feat_1 {title: "Reasons to come"}'],
    [
      '/ b_hero_1.subheading',
      'change this to "Fresh air, every day"',
      'set b_hero_1 {subheading: "Fresh air, every day"}',
    ],
    ['/ b_text_2', 'change the title to "Before you go"', 'set b_text_2 {title: "Before you go"}'],
    ['/', 'change the CTA link to tel:+4712345678', 'set b_cta_1 {ctaHref: "tel:+4712345678"}'],
    ['/', 'set the hero image to /img/dawn.jpg', 'set b_hero_1 {imageUrl: "/img/dawn.jpg"}'],
    [
      '/',
      'set the alt text of the hero to "Two kayaks at dawn"',
      'set b_hero_1 {imageAlt: "Two kayaks at dawn"}',
    ],
    ['/rentals', 'Set the banner background color to #0a3d62', 'set b_banner_r {backgroundColor: "#0a3d62"}'],
    [
      '/',
      'Change the title of the second feature to "Tiny groups"',
      'item b_feat_1.features[1] {title: "Tiny groups"}',
    ],
    [
      '/rentals',
      'Change the first card\'s button to "Rent a single"',
      'item b_cards_r.cards[0] {ctaText: "Rent a single"}',
    ],
    ['/about', 'set the last stat\'s value to "12k"', 'item b_stats_a.stats[2] {value: "12k"}'],
    [
      '/',
      'change the author of the first testimonial to "Ana R."',
      'item b_quotes_1.items[0] {author: "Ana R."}',
    ],
    ['/', 'Change the headline to "Remove the CTA"', 'set b_hero_1 {heading: "Remove the CTA"}'],
    ['/', 'change the button text to "Go"', 'CLARIFY'],
    ['/', 'change the rich text body to "Hello"', 'CLARIFY'],
    ['/', 'Change the title to "Hello"', 'CLARIFY'],
    ['/', 'Change the hero image to a sunset over the fjord', 'CLARIFY'],
    ['/', 'change the hero link to the winter page', 'CLARIFY'],
    ['/rentals', 'change the fifth card title to "XL"', 'CLARIFY'],
    ['/', 'set the text alignment to justified', 'CLARIFY'],
  ]),
  form('make FIELD VALUE', make, [
    [
      '/ b_feat_1.features[2].title',
      'make it "Gear that stays dry"',
      'item b_feat_1.features[2] {title: "Gear that stays dry"}',
    ],
  ]),
  form('use VALUE as|for FIELD', setFound, [
    ['/', 'Use "Quiet mornings" as the eyebrow', 'set b_hero_1 {eyebrow: "Quiet mornings"}'],
  ]),
  form('FIELD : VALUE', setFound, [
    ['/', 'hero headline: "Out on the blue"', 'set b_hero_1 {heading: "Out on the blue"}'],
    [
      '/rentals',
      'card 2 description: "Room for two."',
      'item b_cards_r.cards[1] {description: "Room for two."}',
    ],
  ]),
  form(
    'VALUE',
    (work, { VALUE }) => {
      const field = focusedField(work)
      return field && VALUE.isQuoted ? set(work, field, VALUE) : undefined
    },
    [['/ b_hero_1.heading', '"Morning paddles"', 'set b_hero_1 {heading: "Morning paddles"}']],
  ),
  form(
    'set|change|update|rename BLOCK to VALUE',
    (work, { BLOCK, VALUE }) => setMain(work, one(work, BLOCK), VALUE),
    [['/', 'Rename the feature grid to "What you get"', 'set b_feat_1 {title: "What you get"}']],
  ),
  form(
    'set|change|update|rename ROW to VALUE',
    (work, { ROW, VALUE }) => setMain(work, one(work, ROW), VALUE),
    [
      [
        '/rentals',
        'Rename the third card to "Whole family"',
        'item b_cards_r.cards[2] {title: "Whole family"}',
      ],
      [
        '/rentals',
        'change question 1 to "How do I cancel?"',
        'item b_faq_r.items[0] {q: "How do I cancel?"}',
      ],
    ],
  ),
  form('clear|empty FIELD', clear, [
    ['/', 'Clear the eyebrow', 'set b_hero_1 {eyebrow: ""}'],
    ['/', 'Clear the headline', 'CLARIFY'],
  ]),
  form('remove|delete FIELD', (work, { FIELD }) =>
    FIELD.candidates.length > 0 ? clear(work, { FIELD }) : undefined,
  ),
  form(
    'replace TEXT with|by VALUE [on|in PAGE]',
    (work, { TEXT, VALUE, PAGE }) =>
      replace(blocksOn(work, PAGE ? one(work, PAGE).slug : work.slug), TEXT, VALUE),
    [
      [
        '/',
        'Replace "briefing" with "short briefing"',
        'set b_text_2 {body: "Every tour starts with a short briefing."}',
      ],
      [
        '/rentals',
        'Replace "Rent" with "Hire" on this page',
        'set b_hero_r {heading: "Hire a boat"}; item b_cards_r.cards[0] {ctaText: "Hire"}; item b_cards_r.cards[1] {ctaText: "Hire"}; item b_cards_r.cards[2] {ctaText: "Hire"}',
      ],
    ],
  ),
  form('replace TEXT with|by VALUE in|on BLOCK', (work, { TEXT, VALUE, BLOCK }) =>
    replace([one(work, BLOCK)], TEXT, VALUE),
  ),
  form(
    'replace TEXT with|by VALUE everywhere',
    (work, { TEXT, VALUE }) => replace(allBlocks(work), TEXT, VALUE),
    [
      [
        '/',
        'replace "paddle" with "kayak" everywhere',
        'set b_feat_1 {title: "Why kayak with us"}; set b_hero_a {heading: "People who kayak"} — HELD (multi_page_plan)',
      ],
    ],
  ),
  form('link|point FIELD to|at VALUE', link, [
    ['/', 'link the hero button to the about us page', 'set b_hero_1 {ctaHref: "/about"}'],
  ]),
]
