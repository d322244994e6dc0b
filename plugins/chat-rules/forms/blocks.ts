/** Forms that add, remove, move and copy blocks. */
import { authorityOf } from '../../content/authority.ts'
import { engineBlockId } from '../../content/block-ids.ts'
import type { Block, Fields, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { addableTypes } from '../../content/registry.ts'
import { type Change, form, type Form } from '../match.ts'
import { propsByPhrase, typesNamed } from '../names.ts'
import { indexOf, listsNamed, mainFields, one, type Place, readBlock } from '../references.ts'
import { texts } from '../texts.ts'
import { phraseOf, type Token } from '../tokens.ts'
import { readValue, type Value, valueFor } from '../values.ts'
import { ask, type BlockAt, blocksOn, latestChange, type Work } from '../work.ts'

type Tokens = readonly Token[]

/** A block type that words name; `undefined` if they name none, or rows that the page has. */
function typeNamed(work: Work, words: Tokens): string | undefined {
  const isUnit = ['section', 'block'].includes(words.at(-1)?.word ?? '')
  const noun = phraseOf(words)
  const [type] =
    typesNamed(work.names, noun) ??
    (isUnit ? typesNamed(work.names, phraseOf(words.slice(0, -1))) : undefined) ??
    []
  const isRow = !isUnit && (listsNamed(work, noun, blocksOn(work, work.slug)) ?? []).length > 0
  return isRow ? undefined : type
}

/** A block with the content of its type. Asks if the site does not have the type, or pins it. */
export function newBlock(work: Work, type: string, content: Props = {}): Block {
  const authority = authorityOf(type, work.input)
  const { blockType } = authority.ok ? authority : ask(texts.typeNotHere(type))
  if (blockType.chrome) ask(texts.pinned(blockType.displayName))
  const id = engineBlockId(type, latestChange(work.input.draft.pages), work.draft.hasBlockId)
  return { id, type, props: { ...blockType.starter(), ...content } }
}

const connectors: ReadonlySet<string> = new Set(['to', 'as', ':', ',', 'and', 'with'])

/** Reads `title "A", text "B" and link /c` as props; `undefined` if it is anything else. */
export function contentOf(work: Work, fields: Fields, tokens: Tokens = []): Props | undefined {
  const names = propsByPhrase(fields)
  const content: Record<string, unknown> = {}
  let name: Token[] = []
  for (const token of tokens) {
    if (token.kind === 'word' || token.kind === 'sign') {
      if (!connectors.has(token.word)) name.push(token)
      continue
    }
    const prop = names.get(phraseOf(name))
    const meta = prop === undefined ? undefined : fields[prop]
    const value = readValue(work, [token])
    if (prop === undefined || !meta || !value || Object.hasOwn(content, prop)) return undefined
    content[prop] = valueFor(work, { name: prop, meta, value: undefined }, value)
    name = []
  }
  return name.length > 0 || Object.values(content).includes(undefined) ? undefined : content
}

/** Sets the first of some fields that a new block or row has; `undefined` if it has none of them. */
export function contentFor(
  work: Work,
  fields: Fields,
  names: readonly string[],
  value: Value | undefined,
): Props | undefined {
  if (!value) return {}
  const name = names.find((each) => Object.hasOwn(fields, each))
  const meta = name === undefined ? undefined : fields[name]
  const wanted =
    name !== undefined && meta ? valueFor(work, { name, meta, value: undefined }, value) : undefined
  return name === undefined || wanted === undefined ? undefined : { [name]: wanted }
}

interface Addition {
  readonly WORDS: Tokens
  readonly WITH?: Tokens | undefined
  readonly VALUE?: Value | undefined
  readonly PLACE?: Place | undefined
  readonly slug?: string
}

function add(work: Work, { WORDS, WITH, VALUE, PLACE, slug = work.slug }: Addition): Change {
  const type = typeNamed(work, WORDS)
  const fields = type === undefined ? undefined : work.names.types.get(type)?.fields
  const given = fields && contentOf(work, fields, WITH)
  const titled = fields && contentFor(work, fields, mainFields, VALUE)
  if (type === undefined || !given || !titled) return undefined
  const block = newBlock(work, type, { ...titled, ...given })
  const afterBlockId = PLACE && anchorFor(work, slug, PLACE)
  const isFirst = afterBlockId === null
  return [
    { op: 'add_block', pageSlug: slug, block, afterBlockId: afterBlockId ?? undefined },
    ...(isFirst
      ? [{ op: 'move_block', pageSlug: slug, blockId: block.id, afterBlockId: undefined } as const]
      : []),
  ]
}

/**
 * The block that a place is right after; `null` for the first place, and `undefined` for the last one.
 *
 * The bottom is above a pinned footer, and the top below a pinned header.
 */
function anchorFor(work: Work, slug: string, place: Place, moved?: BlockAt): string | null | undefined {
  const all = blocksOn(work, slug)
  const others = all.filter(({ block, type }) => !type?.chrome && block.id !== moved?.block.id)
  const movable = all.filter(({ type }) => !type?.chrome)
  const now = movable.findIndex(({ block }) => block.id === moved?.block.id)
  const index = indexOf(
    place,
    others.length,
    (anchor) => {
      const id = one(
        work,
        readBlock({ ...work, slug }, anchor) ?? { words: phraseOf(anchor), candidates: [] },
      ).block.id
      return others.findIndex(({ block }) => block.id === id)
    },
    now,
  )
  if (moved === undefined && index === others.length && all.at(-1)?.type?.chrome !== true) return undefined
  const before =
    others[index - 1] ??
    all
      .slice(
        0,
        all.findIndex(({ type }) => !type?.chrome),
      )
      .at(-1)
  return before?.block.id ?? null
}

function refusePinned({ type, block }: BlockAt): void {
  if (type?.chrome) ask(texts.pinned(type.displayName ?? block.type))
}

function move(work: Work, at: BlockAt, place: Place): Change {
  refusePinned(at)
  const {
    slug: pageSlug,
    block: { id: blockId },
  } = at
  return [
    { op: 'move_block', pageSlug, blockId, afterBlockId: anchorFor(work, pageSlug, place, at) ?? undefined },
  ]
}

function remove(work: Work, at: BlockAt): Operation {
  refusePinned(at)
  return { op: 'remove_block', pageSlug: at.slug, blockId: at.block.id }
}

function swap(work: Work, [one, other, ...more]: readonly BlockAt[]): Change {
  if (!one || !other || more.length > 0 || one.slug !== other.slug || one.block === other.block)
    return undefined
  ;[one, other].forEach(refusePinned)
  const { slug: pageSlug } = one
  const ids = blocksOn(work, pageSlug).map(({ block }) => block.id)
  const [upper, lower] = [one.block.id, other.block.id].toSorted((a, b) => ids.indexOf(a) - ids.indexOf(b))
  if (upper === undefined || lower === undefined) return undefined
  const before = ids[ids.indexOf(upper) - 1]
  const down = { op: 'move_block', pageSlug, blockId: upper, afterBlockId: lower } as const
  if (ids.indexOf(lower) === ids.indexOf(upper) + 1) return [down]
  return [down, { op: 'move_block', pageSlug, blockId: lower, afterBlockId: before }]
}

function copy(at: BlockAt, toPageSlug?: string): Change {
  refusePinned(at)
  const op = {
    op: 'duplicate_block',
    pageSlug: at.slug,
    blockId: at.block.id,
    newBlockId: undefined,
    afterBlockId: undefined,
  } as const
  return [{ ...op, toPageSlug: toPageSlug === at.slug ? undefined : toPageSlug }]
}

const isNew = ({ article }: Token): boolean => article !== 'the' && article !== 'my' && article !== 'our'

export const blockForms: readonly Form[] = [
  form('add|insert|create WORDS [PLACE]', add, [
    ['/', 'Add an FAQ', '+block FAQAccordion end on /'],
    ['/', 'add a stats section at the top', '+block Stats front on /'],
    ['/', 'Insert a testimonials section after the feature grid', '+block Testimonials after b_feat_1 on /'],
  ]),
  form(
    'add|insert|create WORDS to|on PAGE',
    (work, { WORDS, PAGE }) => add(work, { WORDS, slug: one(work, PAGE).slug }),
    [['/', 'add an FAQ to the about us page', '+block FAQAccordion end on /about']],
  ),
  form('add|insert|create WORDS called|named|titled VALUE', add),
  form('add|insert|create WORDS [PLACE] with WITH', add, [
    [
      '/rentals',
      'Add a CTA at the end with title "Questions?", button text "Write to us" and link mailto:hi@example.org',
      '+block CTA {title: "Questions?", ctaText: "Write to us", ctaHref: "mailto:hi@example.org"} end on /rentals',
    ],
  ]),
  form(
    'put WORDS PLACE',
    (work, { WORDS, PLACE }) => (WORDS[0] && isNew(WORDS[0]) ? add(work, { WORDS, PLACE }) : undefined),
    [['/rentals', 'put a CTA at the bottom', '+block CTA end on /rentals']],
  ),
  form(
    'remove|delete|drop BLOCKS',
    (work, { BLOCKS }) => BLOCKS.map((found) => remove(work, one(work, found))),
    [
      ['/', 'Remove the feature grid', '-block b_feat_1'],
      ['/', 'delete the second section', '-block b_feat_1'],
      ['/', 'drop the testimonials and the CTA', '-block b_quotes_1; -block b_cta_1'],
      ['/', 'remove the rich text', 'CLARIFY'],
      ['/ b_cta_1', 'remove this section', '-block b_cta_1'],
      ['/', 'delete it', 'CLARIFY'],
      ['/', 'remove the gallery', 'CLARIFY'],
      ['/', 'remove the hero from /about', '-block b_hero_a'],
      [
        '/rentals',
        'remove the hero and add a banner at the top',
        '-block b_hero_r; +block Banner front on /rentals',
      ],
      ['/', 'Can you remove the testimonials?', '-block b_quotes_1'],
    ],
  ),
  form('get_rid_of BLOCKS', (work, { BLOCKS }) => BLOCKS.map((found) => remove(work, one(work, found))), [
    ['/', 'get rid of the "Safety first" section', '-block b_text_2'],
  ]),
  form('move BLOCK PLACE', (work, { BLOCK, PLACE }) => move(work, one(work, BLOCK), PLACE), [
    ['/', 'Move the CTA to the top', 'mv b_cta_1 front'],
    ['/', 'move the testimonials below the hero', 'mv b_quotes_1 after b_hero_1'],
    ['/', 'move the hero up', 'NOOP'],
  ]),
  form(
    'put BLOCK PLACE',
    (work, { BLOCK, PLACE }, [, first]) =>
      first && isNew(first) && first.kind === 'word' && first.article !== undefined
        ? undefined
        : move(work, one(work, BLOCK), PLACE),
    [['/', 'put the feature grid above the CTA', 'mv b_feat_1 after b_quotes_1']],
  ),
  form(
    'swap BLOCKS',
    (work, { BLOCKS }) =>
      swap(
        work,
        BLOCKS.map((found) => one(work, found)),
      ),
    [
      [
        '/',
        'swap the testimonials and the feature grid',
        'mv b_feat_1 after b_quotes_1; mv b_quotes_1 after b_hero_1',
      ],
    ],
  ),
  form('duplicate|copy BLOCK', (work, { BLOCK }) => copy(one(work, BLOCK)), [
    ['/', 'Duplicate the feature grid', 'dup b_feat_1'],
  ]),
  form('duplicate|copy BLOCK to PAGE', (work, { BLOCK, PAGE }) =>
    copy(one(work, BLOCK), one(work, PAGE).slug),
  ),
  form(
    'add|insert|create section|block [PLACE]',
    (work) =>
      ask(
        texts.missingType(
          (
            work.input.manifest?.types().filter(({ chrome }) => !chrome) ?? addableTypes(work.input.registry)
          ).map(({ displayName }) => displayName),
        ),
      ),
    [['/', 'add a section', 'CLARIFY']],
  ),
  form('move|put BLOCK', (work, { BLOCK }) => (one(work, BLOCK), ask(texts.missingPlace, { joint: ' ' })), [
    ['/', 'move the CTA', 'CLARIFY'],
  ]),
]
