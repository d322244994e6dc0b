/** Forms that change the texts, links, images and settings of blocks and rows. */
import { labelOf } from '../../content/fields.ts'
import { ownValue } from '../../content/plain-object.ts'
import { type Change, form, type Form } from '../match.ts'
import {
  allBlocks,
  blocksOn,
  type Field,
  fieldNamed,
  type Found,
  type Item,
  mainFields,
  one,
  rowsOf,
  selected,
} from '../references.ts'
import { texts } from '../texts.ts'
import type { Token } from '../tokens.ts'
import { isRequired, setFields, type Value, valueFor } from '../values.ts'
import { ask, type Work } from '../work.ts'

interface Setting {
  readonly FIELD: Found<Field>
  readonly VALUE: Value
}

const textKinds: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt'])

function set(work: Work, field: Field | undefined, value: Value): Change {
  if (!field) return undefined
  const wanted = valueFor(work, field, value)
  return wanted === undefined ? undefined : setFields(field.item, { [field.name]: wanted })
}

const setFound = (work: Work, { FIELD, VALUE }: Setting): Change => set(work, one(work, FIELD), VALUE)

function clear(work: Work, FIELD: Found<Field>): Change {
  const field = one(work, FIELD)
  const label = labelOf(field.name, field.meta)
  if (typeof field.value !== 'string' && field.value !== undefined) ask(texts.notByText(label))
  if (isRequired(field)) ask(texts.mustNotBeEmpty(label))
  return setFields(field.item, { [field.name]: '' })
}

/** Sets a link, or the link of a button. */
function link(work: Work, { FIELD, VALUE }: Setting): Change {
  const field = one(work, FIELD)
  const isLink = ({ meta: { kind } }: Field) => kind === 'url' || kind === 'link'
  const target = isLink(field) ? field : fieldNamed(field.item, field.name.replace(/Text$/, 'Href'))
  return target && isLink(target) ? set(work, target, VALUE) : undefined
}

/** Bounds the time for one message, in characters that are read and written. */
const mostCharacters = 1_000_000

/** Replaces whole words in the text fields of some blocks, but not in the addresses of links. */
function replace(blocks: readonly Item[], { text: wanted }: Token, { text: by, isQuoted }: Value): Change {
  if (!isQuoted) return undefined
  if (wanted.trim() === '') ask(texts.emptyValue)
  const words = wholeWords(wanted)
  let length = 0
  const ops = blocks
    .flatMap((block) => [block, ...rowsOf(block)])
    .flatMap((item) => {
      const after: Record<string, string> = {}
      for (const [name, meta] of Object.entries(item.fields)) {
        const text = ownValue(item.props, name)
        if (!textKinds.has(meta.kind) || typeof text !== 'string' || !text.includes(wanted)) continue
        length += text.length + (text.split(wanted).length - 1) * by.length
        if (length > mostCharacters) ask(texts.tooLong)
        const replaced = text.replace(words, (found) => (found.startsWith('](') ? found : by))
        if (replaced.trim() === '' && isRequired({ item, name, meta }))
          ask(texts.mustNotBeEmpty(labelOf(name, meta)))
        after[name] = replaced
      }
      return setFields(item, after)
    })
  return ops.length > 0 ? ops : ask(texts.textNotFound(wanted))
}

/** Finds a text as whole words, and the addresses of Markdown links, which may contain it. */
function wholeWords(text: string): RegExp {
  const letter = String.raw`[\p{L}\p{M}\p{N}]`
  const isLetter = new RegExp(letter, 'u')
  const [before, behind] = [isLetter.test(text[0] ?? ''), isLetter.test(text.at(-1) ?? '')]
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  const words = `${before ? `(?<!${letter})` : ''}${escaped}${behind ? `(?!${letter})` : ''}`
  return new RegExp(String.raw`\]\([^)]*\)?|${words}`, 'gu')
}

export const fieldForms: readonly Form[] = [
  form(
    'set|change|update|rename FIELD to|: VALUE',
    setFound,
    `/: Change the headline to "Meet the water" => set b_hero_1 {heading: "Meet the water"}
    /: set the hero heading to 'Slow mornings, calm water' => set b_hero_1 {heading: "Slow mornings, calm water"}
    /: Rename the hero button to "Reserve a seat" => set b_hero_1 {ctaText: "Reserve a seat"}
    /: Set the CTA description to "Choose a date, we bring the boats" => set b_cta_1 {description: "Choose a date, we bring the boats"}
    /: change the CTA section's button text to "Count me in" => set b_cta_1 {ctaText: "Count me in"}
    /: change the button text to "Go" => CLARIFY
    /: Change the eyebrow to "Open all year" => set b_hero_1 {eyebrow: "Open all year"}
    /: set the hero heading to "North wind" and the subheading to "Tours from May" => set b_hero_1 {heading: "North wind", subheading: "Tours from May"}
    /: set the second section's title to "Reasons to come" => set b_feat_1 {title: "Reasons to come"}
    /: change the rich text body to "Hello" => CLARIFY
    /: Change the title to "Hello" => CLARIFY
    / b_hero_1.subheading: change this to "Fresh air, every day" => set b_hero_1 {subheading: "Fresh air, every day"}
    / b_text_2: change the title to "Before you go" => set b_text_2 {title: "Before you go"}
    /: change the CTA link to tel:+4712345678 => set b_cta_1 {ctaHref: "tel:+4712345678"}
    /: set the hero image to /img/dawn.jpg => set b_hero_1 {imageUrl: "/img/dawn.jpg"}
    /: Change the hero image to a sunset over the fjord => CLARIFY
    /: set the alt text of the hero to "Two kayaks at dawn" => set b_hero_1 {imageAlt: "Two kayaks at dawn"}
    /: change the hero link to the winter page => CLARIFY
    /rentals: Set the banner background color to #0a3d62 => set b_banner_r {backgroundColor: "#0a3d62"}
    /: Change the title of the second feature to "Tiny groups" => item b_feat_1.features[1] {title: "Tiny groups"}
    /rentals: Change the first card's button to "Rent a single" => item b_cards_r.cards[0] {ctaText: "Rent a single"}
    /about: set the last stat's value to "12k" => item b_stats_a.stats[2] {value: "12k"}
    /: change the author of the first testimonial to "Ana R." => item b_quotes_1.items[0] {author: "Ana R."}
    /rentals: change the fifth card title to "XL" => CLARIFY
    /: Change the headline to "Remove the CTA" => set b_hero_1 {heading: "Remove the CTA"}
    /: set the text alignment to justified => CLARIFY`,
  ),
  form(
    'make FIELD VALUE',
    // After "make", a text without quotes is a wish.
    (work, { FIELD, VALUE }) =>
      VALUE.isQuoted || !FIELD.candidates.every(({ meta }) => textKinds.has(meta.kind))
        ? setFound(work, { FIELD, VALUE })
        : undefined,
    '/ b_feat_1.features[2].title: make it "Gear that stays dry" => item b_feat_1.features[2] {title: "Gear that stays dry"}',
  ),
  form(
    'use VALUE as|for FIELD',
    setFound,
    '/: Use "Quiet mornings" as the eyebrow => set b_hero_1 {eyebrow: "Quiet mornings"}',
  ),
  form(
    'FIELD : VALUE',
    setFound,
    `/: hero headline: "Out on the blue" => set b_hero_1 {heading: "Out on the blue"}
    /rentals: card 2 description: "Room for two." => item b_cards_r.cards[1] {description: "Room for two."}`,
  ),
  form(
    'VALUE',
    (work, { VALUE }) => (VALUE.isQuoted ? set(work, selected(work).field, VALUE) : undefined),
    '/ b_hero_1.heading: "Morning paddles" => set b_hero_1 {heading: "Morning paddles"}',
  ),
  form(
    'set|change|update|rename ITEM to VALUE',
    (work, { ITEM, VALUE }) => {
      const item = one(work, ITEM)
      const name = mainFields.find((each) => Object.hasOwn(item.fields, each))
      return set(work, fieldNamed(item, name), VALUE)
    },
    `/: Rename the feature grid to "What you get" => set b_feat_1 {title: "What you get"}
    /rentals: Rename the third card to "Whole family" => item b_cards_r.cards[2] {title: "Whole family"}
    /rentals: change question 1 to "How do I cancel?" => item b_faq_r.items[0] {q: "How do I cancel?"}`,
  ),
  form(
    'clear|empty FIELD',
    (work, { FIELD }) => clear(work, FIELD),
    `/: Clear the eyebrow => set b_hero_1 {eyebrow: ""}
    /: Clear the headline => CLARIFY`,
  ),
  form(
    'remove|delete FIELD',
    (work, { FIELD }) => (FIELD.candidates.length > 0 ? clear(work, FIELD) : undefined),
    '/: remove the eyebrow => set b_hero_1 {eyebrow: ""}',
  ),
  form(
    'replace|change|update|rename TEXT with|by|to VALUE [on|in PAGE]',
    (work, { TEXT, VALUE, PAGE }) =>
      replace(blocksOn(work, PAGE ? one(work, PAGE).slug : work.slug), TEXT, VALUE),
    `/: Replace "briefing" with "short briefing" => set b_text_2 {body: "Every tour starts with a short briefing."}
    /: Change "Ready to launch?" to "Ready?" => set b_cta_1 {title: "Ready?"}
    /rentals: Replace "Rent" with "Hire" on this page => set b_hero_r {heading: "Hire a boat"}; item b_cards_r.cards[0] {ctaText: "Hire"}; item b_cards_r.cards[1] {ctaText: "Hire"}; item b_cards_r.cards[2] {ctaText: "Hire"}`,
  ),
  form(
    'replace|change|update|rename TEXT with|by|to VALUE in|on BLOCK',
    (work, { TEXT, VALUE, BLOCK }) => replace([one(work, BLOCK)], TEXT, VALUE),
    '/: replace "Paddle" with "Row" in the hero => set b_hero_1 {heading: "Row the fjord"}',
  ),
  form(
    'replace|change|update|rename TEXT with|by|to VALUE everywhere',
    (work, { TEXT, VALUE }) => replace(allBlocks(work), TEXT, VALUE),
    '/: replace "paddle" with "kayak" everywhere => set b_feat_1 {title: "Why kayak with us"}; set b_hero_a {heading: "People who kayak"} — HELD (multi_page_plan)',
  ),
  form(
    'link|point FIELD to|at VALUE',
    link,
    '/: link the hero button to the about us page => set b_hero_1 {ctaHref: "/about"}',
  ),
  form(
    'set|change|update|rename FIELD',
    (work, { FIELD }) => (one(work, FIELD), ask(texts.missingValue, { joint: ' to ' })),
    '/: change the headline => CLARIFY',
  ),
  form(
    'set|change|update|rename|make|add|insert|create|remove|delete|drop|move|put|swap|duplicate|copy|replace|link|clear',
    () => ask(texts.missingObject),
    '/: remove => CLARIFY',
  ),
]
