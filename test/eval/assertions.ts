import { isPlainObject, ownValue, sameJson } from '../../plugins/content/plain-object.ts'
import type { Block } from '../../plugins/content/page.ts'
import type { Attempt } from './attempt.ts'
import type { Assertion, ContentCheck } from './case.ts'
import { sameDraft, type Snapshot } from './draft.ts'

/** A block by its id, or the first of a type, on a page. */
interface Target {
  readonly blockId?: string | undefined
  readonly blockType?: string | undefined
  readonly slug?: string | undefined
}

/** Whether an assertion holds; `slug` is the default page. */
export function holds(
  wanted: Assertion,
  { ops, before, after, outcome }: Pick<Attempt, 'ops' | 'before' | 'after' | 'outcome'>,
  slug: string,
): boolean {
  switch (wanted.type) {
    case 'block_prop_equals':
      return sameJson(propOf(outcome, wanted, slug), wanted.value)
    case 'block_prop_matches': {
      const value = propOf(outcome, wanted, slug)
      return typeof value === 'string' && new RegExp(wanted.pattern, 'i').test(value)
    }
    case 'block_prop_changed':
      return !sameJson(propOf(before, wanted, slug), propOf(outcome, wanted, slug))
    case 'block_exists':
      return blockOf(outcome, wanted, slug) !== undefined
    case 'block_not_exists':
      return blockOf(outcome, wanted, slug) === undefined
    case 'block_count':
      return (
        blocksOf(outcome, wanted.slug ?? slug).filter(({ type }) => (wanted.blockType ?? type) === type)
          .length === wanted.count
      )
    case 'block_order': {
      const blocks = blocksOf(outcome, wanted.slug ?? slug)
      return (
        blocks.length === wanted.blocks.length &&
        blocks.every(({ id, type }, at) => [id, type].includes(wanted.blocks[at] ?? ''))
      )
    }
    case 'page_exists':
      return outcome.pages.some(
        (page) => page.slug === wanted.slug && (wanted.title ?? page.title) === page.title,
      )
    case 'page_not_exists':
      return outcome.pages.every((page) => page.slug !== wanted.slug)
    case 'item_count_delta':
      return lengthOf(propOf(outcome, wanted, slug)) - lengthOf(propOf(before, wanted, slug)) === wanted.delta
    case 'op_equals':
      return ops.some((op) => isPartOf(wanted.op, op))
    case 'draft_unchanged':
      return sameDraft(before, after)
  }
}

const blocksOf = ({ pages }: Snapshot, slug: string): readonly Block[] =>
  pages.find((page) => page.slug === slug)?.blocks ?? []

function blockOf(draft: Snapshot, { blockId, blockType, slug }: Target, page: string): Block | undefined {
  return blocksOf(draft, slug ?? page).find(({ id, type }) =>
    blockId === undefined ? type === blockType : id === blockId,
  )
}

/** The value of a block at a path such as `cards[1].title`. */
const propOf = (draft: Snapshot, wanted: Target & { readonly prop: string }, page: string): unknown =>
  valueAt(blockOf(draft, wanted, page)?.props, wanted.prop)

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/** Whether a value contains all wanted fields, at any depth. */
function isPartOf(wanted: unknown, value: unknown): boolean {
  if (!isPlainObject(wanted)) return sameJson(wanted, value)
  return (
    isPlainObject(value) &&
    Object.entries(wanted).every(([key, part]) => isPartOf(part, ownValue(value, key)))
  )
}

/** Reads the value at a path such as `cards[1].title`; `undefined` if there is none. */
function valueAt(props: unknown, path: string): unknown {
  let value = props
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined
    else value = isPlainObject(value) ? ownValue(value, step) : undefined
  }
  return value
}

type Answered = Pick<Attempt, 'summary' | 'outcome'>

/** Whether a text passes a check; a missing text fails. */
export function passesCheck(check: ContentCheck, { summary, outcome }: Answered, slug: string): boolean {
  const isAnswer = (check.blockId ?? check.blockType) === undefined
  const text = isAnswer ? summary : propOf(outcome, check, slug)
  if (typeof text !== 'string') return false
  switch (check.type) {
    case 'max_word_count':
      return wordsOf(text).length <= check.maxWords
    case 'no_banned_words': {
      const words = new Set(wordsOf(text.toLowerCase()))
      return !check.bannedWords.some((word) => words.has(word.toLowerCase()))
    }
    case 'matches_regex':
      return new RegExp(check.pattern).test(text)
  }
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
