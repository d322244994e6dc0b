/** What a person can do to the page; each intent is one change that can be undone. */
import { applyRead } from './store-field.ts'
import { sayChanged } from './undo-line.ts'
import { randomId } from '../random-id.ts'
import { sentenceOf } from '../service.ts'
import { whyNot } from '../stores/access.ts'
import { apply, blocks, slug, type Operation } from '../stores/draft.ts'
import { labelOf, manifest, displayNameOf, typeOf } from '../stores/block-types.ts'
import { wantedRow } from '../stores/outline.ts'
import { select, selected } from '../stores/selection.ts'
import { say } from '../stores/toast.ts'
import { openSide } from '../stores/ui.ts'
import { isPhone } from '../stores/widths.ts'

/** Applies operations and says what changed, with the undo beside it; `undefined` if they were refused. */
export const change = (what: string, ops: readonly Operation[], base?: number) =>
  changeBy(what, () =>
    apply(
      ops.map((op) => ({ pageSlug: slug.value, ...op })),
      base,
    ),
  )

/** As `change`, with operations that are made of what the draft has. */
export const changeRead = (what: string, opsFor: () => Promise<readonly Operation[]>) =>
  changeBy(what, () => applyRead(opsFor))

async function changeBy(what: string, send: () => ReturnType<typeof apply>) {
  const why = whyNot('edit')
  if (why !== undefined) return void say(why)
  try {
    const applied = await send()
    sayChanged(what, applied.previewVersion)
    return applied
  } catch (error) {
    say(sentenceOf(error))
    return undefined
  }
}

export const nameOfBlock = (blockId: string): string =>
  displayNameOf(blocks.value.find(({ id }) => id === blockId)?.type ?? '')

export function remove(blockId: string): Promise<unknown> {
  const name = nameOfBlock(blockId)
  select(undefined)
  return change(`${name} deleted`, [{ op: 'remove_block', blockId }])
}

export const copy = (blockId: string): Promise<unknown> =>
  change(`${nameOfBlock(blockId)} copied`, [{ op: 'duplicate_block', blockId }])

/** The block below which a new one goes: the selected one, else the last one above the footer. */
export function placeToAdd(): string | undefined {
  const movable = blocks.value.filter(({ type }) => typeOf.value(type)?.chrome !== true)
  return (movable.find(({ id }) => id === selected.value?.blockId) ?? movable.at(-1))?.id
}

/** Adds a block of a type with its starter content, after another one or at the top, and opens it. */
export function add(type: string, afterBlockId: string | undefined): Promise<unknown> {
  const id = `b_${randomId().slice(0, 8)}`
  const props = typeOf.value(type)?.defaultProps ?? {}
  const added = {
    op: 'add_block',
    block: { id, type, props },
    ...(afterBlockId !== undefined && { afterBlockId }),
  }
  const toTop = afterBlockId === undefined && blocks.value.length > 0
  select({ blockId: id })
  wantedRow.value = id
  // On a phone the sheet would cover what was added.
  if (!isPhone.value) openSide('fields')
  return change(`${displayNameOf(type)} added`, toTop ? [added, { op: 'move_block', blockId: id }] : [added])
}

export type RowChange =
  | { readonly op: 'add_item'; readonly item: object; readonly afterIndex?: number }
  | { readonly op: 'remove_item'; readonly index: number }
  | { readonly op: 'move_item'; readonly index: number; readonly afterIndex?: number }

export function changeRows(blockId: string, listKey: string, row: RowChange): Promise<unknown> {
  const type = blocks.value.find(({ id }) => id === blockId)?.type ?? ''
  const list = labelOf(listKey, typeOf.value(type)?.fields?.[listKey])
  const what = {
    add_item: `Added to ${list}`,
    remove_item: `Deleted from ${list}`,
    move_item: `Moved in ${list}`,
  }[row.op]
  return change(what, [{ blockId, listKey, ...row }])
}

/** Selects a block or a row of a list in it, and puts the caret into its first field. */
export function edit(blockId: string, path?: string, rowKey?: string): void {
  select({ blockId, path })
  openSide('fields')
  queueMicrotask(() => {
    const panel = document.querySelector('.fields')
    const head = rowKey === undefined ? null : panel?.querySelector(`[data-row="${CSS.escape(rowKey)}"]`)
    const within = head?.parentElement ?? panel
    within?.querySelector<HTMLElement>('input, textarea, select, [contenteditable]')?.focus()
  })
}

/** The block types that can be added to a page. */
export const addableTypes = () =>
  manifest.value?.blocks.filter(({ chrome, copiedOnly }) => chrome !== true && copiedOnly !== true) ?? []
