/** The operations of a plan in the words of the page, and why one is not ticked. */
import { displayNameOf } from './block-types.ts'
import { placeIn } from './chat-changed.ts'
import { needsOf } from './chat-needs.ts'
import type { MessageSubject } from './chat-turn.ts'
import { titleOf, type Block, type Page } from './draft.ts'
import { movesIn, ordinal } from './moves.ts'
import { isRow, type Operation } from './place.ts'
import type { PageDiff } from './review.ts'
import { fieldChanges } from './row-changes.ts'
import { kindOfPath, metaNames, nameOfPath, wordsOf } from './words.ts'

type RowSide = NonNullable<PageDiff['metaDiffs']>[number] & {
  /** The kind of the field; empty for a whole block. */
  readonly field?: string | undefined
}

export interface OpRow {
  /** Counts from 1. */
  readonly number: number
  readonly blockId: string | undefined
  readonly title: string
  readonly what: string
  readonly isDeletion: boolean
  /** Before and after; `path` is the name of the field. */
  readonly sides: readonly RowSide[]
  readonly needs: readonly number[]
  readonly isChanged: boolean
  /** Why it starts unticked. */
  readonly doubt: string | undefined
}

const verbs: Readonly<Record<string, string>> = {
  add: 'new',
  create: 'new',
  remove: 'deleted',
  move: 'moved',
  duplicate: 'copied',
}

/** Such as `row deleted`. */
function whatOf({ op }: Operation): string {
  const [verb = '', thing] = op.split('_')
  return [thing === 'item' && verb !== 'update' ? 'row' : '', verbs[verb] ?? ''].join(' ').trim()
}

interface Context {
  readonly pages: readonly Page[]
  /** What the plan would change. */
  readonly diffs?: readonly PageDiff[]
  readonly subject?: MessageSubject | undefined
  readonly changed?: ReadonlySet<string>
}

/** One row for each operation. Blocks that the plan adds are found in it. */
export function changedRowsOf(
  ops: readonly Operation[],
  { pages, diffs = [], subject, changed = new Set() }: Context,
): readonly OpRow[] {
  const present = pages.flatMap(({ blocks }) => blocks)
  const added = ops.flatMap(({ block }) => (isRow(block) ? [block as Block] : []))
  const needs = needsOf(ops)
  /** The block that the person asked about, and the new ones below it. */
  const inside = new Set<unknown>([subject?.blockId])
  for (const op of ops) if (op.op === 'add_block' && inside.has(op['afterBlockId'])) inside.add(idOf(op))
  // What is planned for other places only was not asked about the block.
  const touchesSubject = ops.some((op) => inside.has(idOf(op)))
  return ops.map((op, at) => {
    const id = idOf(op)
    const block = [...present, ...added].find((each) => each.id === id)
    const slug = slugOf(op)
    const names = namesIn(op)
    const isChanged = block !== undefined && names.some((name) => changed.has(placeIn(block.id, name)))
    const outside =
      subject && touchesSubject && !inside.has(id)
        ? `Outside ${subject.name}, which you asked about.`
        : undefined
    return {
      number: at + 1,
      blockId: block?.id,
      title: block
        ? displayNameOf(block.type)
        : slug === undefined
          ? 'Site'
          : `Page ${newTitleIn(op) ?? titleOf(slug)}`,
      what: [whatOf(op), block && slug !== pages[0]?.slug ? `on ${titleOf(slug ?? '')}` : '']
        .join(' ')
        .trim(),
      isDeletion: op.op.startsWith('remove_'),
      sides: sidesOf(op, block, diffs),
      needs: needs[at] ?? [],
      isChanged,
      doubt: isChanged ? 'Changed since this plan was made.' : outside,
    }
  })
}

const idOf = (op: Operation): unknown => (isRow(op['block']) ? op['block']['id'] : op['blockId'])

const slugOf = ({ pageSlug, page }: Operation): string | undefined =>
  [pageSlug, isRow(page) && page['slug']].find((slug) => typeof slug === 'string')

const newTitleIn = ({ page }: Operation): string | undefined =>
  isRow(page) && typeof page['title'] === 'string' ? page['title'] : undefined

/** The fields that an operation writes; the empty name stands for all of a block. */
const namesIn = ({ patch, listKey }: Operation): readonly string[] =>
  typeof listKey === 'string' ? [listKey] : isRow(patch) ? Object.keys(patch) : ['']

function sidesOf(op: Operation, block: Block | undefined, diffs: readonly PageDiff[]): readonly RowSide[] {
  const page = diffs.find(({ slug }) => slug === op['pageSlug'])
  const blockDiff = page?.blockDiffs.find(({ blockId }) => blockId === block?.id)
  const move = movesIn(page?.blockDiffs ?? [], (type) => type === block?.type).get(block?.id ?? '')
  const side = (path: string, before: unknown, after: unknown): RowSide => ({
    path,
    kind: 'text',
    before,
    after,
  })
  if (op.op === 'add_block') return [{ ...side('Content', '', wordsOf(block?.props)), field: '' }]
  if (op.op === 'remove_block') return [{ ...side('Content', wordsOf(block?.props), ''), field: '' }]
  if (op.op === 'move_block') return move ? [side('Place', ordinal(move.from), ordinal(move.to))] : []
  if (op.op === 'rename_page')
    return page?.titleBefore === undefined ? [] : [side('Title', page.titleBefore, page.titleAfter)]
  const roots = op.op === 'update_item' ? [`${String(op['listKey'])}[${String(op['index'])}]`] : namesIn(op)
  const isIn = ({ path }: RowSide): boolean =>
    roots.some((root) => path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`))
  const named = (each: RowSide): RowSide => ({
    ...each,
    field: kindOfPath(block?.type ?? '', each.path),
    path: nameOfPath(block?.type ?? '', each.path),
  })
  if (blockDiff?.fieldDiffs)
    return fieldChanges(blockDiff.fieldDiffs, block?.props, 'before')
      .flatMap(({ diffs }) => diffs)
      .filter(isIn)
      .map(named)
  if (block && op.op === 'update_props')
    return Object.entries(Object(op['patch'])).map(([name, value]) =>
      named(side(name, Object(block.props)[name], value)),
    )
  return (page?.metaDiffs ?? [])
    .filter(isIn)
    .map((each) => ({ ...each, path: metaNames[each.path] ?? each.path }))
}
