/** What the person did in the page of the frame. */
import { addableTypes, changeRows, remove, type RowChange } from '../edit/intents.ts'
import { moveAfter } from '../edit/order.ts'
import { typeInPage } from '../edit/type-in-page.ts'
import { takeStep } from '../edit/undo-line.ts'
import { pickAt } from '../edit/picture.ts'
import { newRow, typeOf } from '../stores/block-types.ts'
import { openPage, slug } from '../stores/draft.ts'
import { isFieldWanted, select } from '../stores/selection.ts'
import { adding, mode, openSide, palette } from '../stores/ui.ts'
import { post, type FrameMessage } from './channel.ts'
import { isWished } from './wish.ts'

/** True while the frame itself says what is selected, which is not sent back to it. */
let isOwn = false
export const isOwnSelection = (): boolean => isOwn
/** The page that the frame says it shows. */
let shown: string | undefined
export const shownSlug = (): string | undefined => shown

/** Where the draft is scrolled to, as the frame says it. */
let scrolledTo: FrameMessage['payload'] | undefined
export const draftPlace = (): FrameMessage['payload'] | undefined => scrolledTo

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Carries out what the person did in the page, and nothing that only the page wishes. */
export function hear(message: FrameMessage): void {
  if (!isWished(message)) return
  const { type, payload } = message
  const blockId = text(payload['blockId'])
  const path = text(payload['editablePath'])
  const listKey = text(payload['listKey']) ?? ''
  const index = Number(payload['index'])
  const anchor = payload['afterIndex']
  const place = typeof anchor === 'number' ? { afterIndex: anchor } : {}
  const rows = (row: RowChange): void => void (blockId && changeRows(blockId, listKey, row))
  const typed = (isLeft: boolean): void => {
    const [value = '', initial = ''] = ['value', 'initialValue'].map((name) => String(payload[name] ?? ''))
    if (blockId !== undefined && path !== undefined)
      typeInPage({ blockId, position: path, value, initial, isLeft })
  }
  const actions: Readonly<Record<string, () => void>> = {
    routeChanged() {
      shown = text(payload['slug']) ?? '/'
      scrolledTo = undefined
      post('setSelectionMode', { enabled: mode.value === 'edit' })
      if (shown !== slug.value) void openPage(shown)
    },
    blockClicked() {
      isOwn = true
      select(blockId === undefined ? undefined : { blockId, path })
      isOwn = false
    },
    pageScrolled: () => void (scrolledTo = payload),
    blockReordered: () => void (blockId && moveAfter(blockId, text(payload['afterBlockId']))),
    blockDeleteRequested: () => void (blockId && remove(blockId)),
    blockAddRequested() {
      if (addableTypes().length > 0) adding.value = { after: text(payload['afterBlockId']) }
    },
    editBlockRequested() {
      if (blockId === undefined) return
      select({ blockId, path })
      openSide('fields')
      isFieldWanted.value = true
    },
    inlineTextTyped: () => typed(false),
    inlineTextCommitted: () => typed(true),
    listItemAddRequested: () =>
      rows({
        op: 'add_item',
        item: newRow(typeOf.value(text(payload['blockType']) ?? '')?.fields?.[listKey]),
        ...place,
      }),
    listItemRemoveRequested: () => rows({ op: 'remove_item', index }),
    listItemMoveRequested: () => rows({ op: 'move_item', index, ...place }),
    openImagePicker() {
      if (blockId === undefined) return
      select({ blockId, path })
      if (path !== undefined) pickAt(blockId, path)
    },
    shortcut() {
      const name = payload['name']
      if (name === 'undo' || name === 'redo') void takeStep(name)
      else if (name === 'palette') palette.value = true
      else select(undefined)
    },
  }
  actions[type]?.()
}
