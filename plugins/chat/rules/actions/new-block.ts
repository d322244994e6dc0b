import { authorityOf } from '../../../content/authority.ts'
import { engineBlockId } from '../../../content/block-ids.ts'
import { toTypeName } from '../../../content/names.ts'
import type { Block, Fields } from '../../../content/model.ts'
import { Ask, unfit } from '../ask.ts'
import { listOf, type Node } from '../grammar/node.ts'
import type { Work } from '../work.ts'
import { contentOf, type NewContent } from './details.ts'

/** A block that is not on a page yet. */
export interface NewBlock {
  readonly block: Block
  /** Whether the words gave it a title. */
  readonly isTitled: boolean
}

const mostBlocks = 5

/** The blocks that a list of types means. */
export function newBlocks(work: Work, list: Node): readonly NewBlock[] {
  const wanted = listOf(list).flatMap(({ parts: { type, n, details } }) =>
    Array.from({ length: countOf(work, n) }, () => ({ type: type?.names?.[0] ?? '', details: listOf(details) })))
  const made: NewBlock[] = []
  for (const { type, details } of wanted) made.push(newBlock(work, type, details, made.map(({ block }) => block.id)))
  return made
}

export function countOf(work: Work, n: Node | undefined, most = mostBlocks): number {
  const count = n?.number ?? 1
  if (count > most || count === 0) throw new Ask({ question: work.scene.texts.tooMany(most) })
  return count
}

/** A block of a type with its starter content, and what the words say in place of that. */
export function newBlock(work: Work, name: string, details: readonly Node[], used: readonly string[] = []): NewBlock {
  const { scene: { texts, input, now, types, named }, draft, drafts } = work
  const type = toTypeName(name, types.map((known) => known.type))
  const authority = authorityOf(type, input)
  if (!authority.ok) throw new Ask({ question: texts.typeNotHere(name) })
  const { blockType } = authority
  if (blockType.chrome) throw new Ask({ question: texts.pinned(named(blockType).displayName) })
  // An earlier clause may have added a block and removed it again.
  const id = engineBlockId(type, now, (wanted) => used.includes(wanted) || [draft, ...drafts].some((each) => each.hasBlockId(wanted)))
  const content = contentOf(work, blockType.fields, details, mainPropOf)
  if (Object.keys(content).length === 0 && details.length > 0) return unfit('the block has no such fields')
  return { block: { id, type, props: { ...blockType.starter(), ...content } }, isTitled: titles.some((title) => Object.hasOwn(content, title)) }
}

const titles = ['heading', 'title', 'text', 'quote']

/** What a text alone is for a new block. */
const mainPropOf = (fields: Fields): NewContent => {
  const title = titles.find((name) => Object.hasOwn(fields, name))
  return { main: title, called: title, label: title, author: Object.hasOwn(fields, 'author') ? 'author' : undefined }
}
