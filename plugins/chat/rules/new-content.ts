/** What the forms add: blocks and rows with their content. */
import { engineBlockId } from '../../content/block-ids.ts'
import { effectiveItemFields, requiredProps } from '../../content/fields.ts'
import type { Block, FieldMeta, Fields, Props } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import type { Slots } from './match.ts'
import { propsByPhrase, typesNamed } from './names.ts'
import { anchorOf, type Destination } from './places.ts'
import { listsNamed, one, readItem } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, type Token, type Tokens } from './tokens.ts'
import { readValue, type Value, valueFor } from './values.ts'
import {
  ask,
  blocksOn,
  type FormChange,
  type Item,
  mainFields,
  placeBehind,
  targetOf,
  type PlanState,
} from './work.ts'

/** The types that blocks can be added of. */
export const addable = ({ input: { manifest, registry } }: PlanState) =>
  (manifest ?? registry).types().filter(({ chrome, copiedOnly }) => !chrome && !copiedOnly)

/** What a new row or block is made of. */
type ContentSlots = Partial<Pick<Slots, 'TITLE' | 'CONTENT' | 'AUTHOR'>>
type Added = ContentSlots & Pick<Slots, 'NAME'> & Partial<Pick<Slots, 'ITEM' | 'PLACE'>>

/** Adds a row, if the page or the block has a list of such rows; else a block. */
export function add(work: PlanState, { ITEM, NAME, PLACE, ...content }: Added): FormChange {
  const noun = phraseOf(/^(?:another|empty)$/.test(NAME[0]?.word ?? '') ? NAME.slice(1) : NAME)
  const owner = ITEM && one(work, ITEM)
  // `the banner` is one that is there, and a row has no rows.
  const isThere =
    NAME[0]?.article === 'the' && !content.TITLE && (readItem(work, NAME)?.candidates.length ?? 0) > 0
  if (isThere || owner?.kind === 'row') return undefined
  const slug = owner?.slug ?? work.slug
  const lists = listsNamed(work, noun, owner?.kind === 'block' ? [owner] : blocksOn(work, slug))
  if (lists && lists.length > 0) {
    const item = one(work, { words: noun, candidates: lists.map((list) => list.item) })
    return PLACE ? undefined : addRow(work, item, lists[0]?.listKey ?? '', content)
  }
  const [type] = typesNamed(work.names, noun) ?? []
  if (type !== undefined && owner?.kind !== 'block') return addBlock(work, slug, type, content, PLACE)
  return lists && ask(texts.noList(noun))
}

function addRow(work: PlanState, item: Item, listKey: string, content: ContentSlots): FormChange {
  const list = item.fields[listKey] ?? { kind: 'list' }
  const kind = kindOfRow(work, list)
  const fields = effectiveItemFields(list, kind)
  const given = contentIn(work, fields, content)
  const schema = itemSchemaOf(item.type?.propsSchema.properties?.[listKey]) ?? {}
  const row: Props = { ...requiredProps(fields, schema), ...kind, ...given }
  return given && [{ op: 'add_item', ...targetOf(item), listKey, item: row }]
}

/** The discriminator of a new row, asked for if the list has rows of several kinds. */
function kindOfRow({ answers }: PlanState, { discriminator, itemFieldsByType = {} }: FieldMeta): Props {
  const kinds = Object.keys(itemFieldsByType)
  if (discriminator === undefined || kinds.length === 0) return {}
  const kind = kinds.length === 1 ? kinds[0] : ownValue(answers, discriminator)
  const choices = kinds.map((id) => ({ id, label: id }))
  return { [discriminator]: kind ?? ask(texts.whichKind(kinds), { key: discriminator, choices }) }
}

function addBlock(
  work: PlanState,
  pageSlug: string,
  type: string,
  content: ContentSlots,
  place?: Destination,
): FormChange {
  const given = contentIn(work, work.names.types.get(type)?.fields ?? {}, content)
  if (!given) return undefined
  const block = newBlock(work, type, given)
  const blocks = blocksOn(work, pageSlug)
  const anchor = anchorOf({ ...work, slug: pageSlug }, blocks, place ?? { where: 'end' })
  const added = {
    op: 'add_block',
    pageSlug,
    block,
    ...(anchor && anchor !== blocks.at(-1) && placeBehind(anchor)),
  }
  if (anchor || blocks.length === 0) return [added]
  return [added, { op: 'move_block', pageSlug, blockId: block.id }]
}

/** A block with the content of its type. */
export function newBlock(work: PlanState, type: string, content: Props): Block {
  const id = engineBlockId(type, work.now, work.draft.hasBlockId)
  return { id, type, props: { ...work.names.types.get(type)?.starter(), ...content } }
}

const connectors: ReadonlySet<string> = new Set(['to', 'as', ':', ',', 'and', 'with'])

/** Reads `title "A", text "B" and link /c` as fields with their values. */
function settingsIn(work: PlanState, fields: Fields, tokens: Tokens) {
  const names = propsByPhrase(fields)
  const settings: { readonly names: readonly string[]; readonly value: Value | undefined }[] = []
  let name: Token[] = []
  for (const token of tokens) {
    if (token.kind !== 'word' && token.kind !== 'sign') {
      settings.push({ names: [names.get(phraseOf(name)) ?? ''], value: readValue(work, [token]) })
      name = []
    } else if (!connectors.has(token.word)) name.push(token)
  }
  return name.length > 0 ? undefined : settings
}

/** The content of a new block or row; `undefined` if the words are not only that. */
function contentIn(
  work: PlanState,
  fields: Fields,
  { TITLE, AUTHOR, CONTENT = [] }: ContentSlots,
): Props | undefined {
  const settings = settingsIn(work, fields, CONTENT)
  const title = { names: ['value', ...mainFields, 'caption'], value: TITLE }
  const content: Record<string, unknown> = {}
  for (const { names, value } of [title, { names: ['author'], value: AUTHOR }, ...(settings ?? [])]) {
    if (!value) continue
    const name = names.find((each) => Object.hasOwn(fields, each)) ?? ''
    const meta = ownValue(fields, name)
    const wanted = meta && valueFor(work, { name, meta }, value)
    if (wanted === undefined || Object.hasOwn(content, name)) return undefined
    content[name] = wanted
  }
  return settings && content
}
