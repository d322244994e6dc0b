/** What the person did in the page of the frame. */
import { addableTypes, changeRows, nameOfBlock, remove, type RowChange } from '../edit/intents.ts'
import { moveAfter } from '../edit/order.ts'
import { offerTyped, typeInPage } from '../edit/type-in-page.ts'
import { takeStep } from '../edit/undo-line.ts'
import { typeSetting } from '../pages/own-settings.ts'
import { openSettings } from '../pages/settings.ts'
import { pickAt } from '../edit/picture.ts'
import { newRow, typeOf } from '../stores/block-types.ts'
import { signal } from '@preact/signals'
import { isDocument, placeName } from '../stores/documents.ts'
import { blocks, openPage, page, slug, takesBlocks } from '../stores/draft.ts'
import { movesInFrame } from '../stores/moves-of-pages.ts'
import { isRow, keyOf } from '../stores/place.ts'
import { isFieldWanted, select } from '../stores/selection.ts'
import { say } from '../stores/toast.ts'
import { adding, mode, openSide, palette } from '../stores/ui.ts'
import { post, type FrameMessage } from './channel.ts'
import { offeredPlaces, placing } from './offered-places.ts'
import { isPersonInFrame, isWished, removeOnWish } from './wish.ts'

/** True while the frame itself says what is selected, which is not sent back to it. */
let isOwn = false
export const isOwnSelection = (): boolean => isOwn
/** The page that the frame says it shows. */
export const shown = signal<string | undefined>(undefined)

/** Whether a text is being typed in the frame, which must not be loaded meanwhile. */
export const isEditedInFrame = signal(false)

/** Where the draft is scrolled to, as the frame says it. */
let scrolledTo: FrameMessage['payload'] | undefined
export const draftPlace = (): FrameMessage['payload'] | undefined => scrolledTo

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function listIn(blockId: string | undefined, listKey: string): readonly unknown[] {
  const list = blocks.value.find(({ id }) => id === blockId)?.props[listKey]
  return Array.isArray(list) ? list : []
}
const isSameRow = (one: unknown, other: unknown): boolean =>
  isRow(one) && isRow(other) ? keyOf(one) === keyOf(other) : one === other

/** Carries out what the person did in the page, and nothing that only the page wishes. */
export function hear(message: FrameMessage): void {
  if (!isWished(message)) return
  const { type, payload } = message
  const blockId = text(payload['blockId'])
  const path = text(payload['editablePath'])
  /** The title and the description of a document are not those of a block. */
  const isOfPage = payload['blockType'] === 'Page'
  const listKey = text(payload['listKey']) ?? ''
  const index = Number(payload['index'])
  const anchor = payload['afterIndex']
  const place = typeof anchor === 'number' ? { afterIndex: anchor } : {}
  const rows = (row: RowChange): void => void (blockId && changeRows(blockId, listKey, row))
  const typed = (isFinished: boolean): void => {
    const [value = '', initial = ''] = ['value', 'initialValue'].map((name) => String(payload[name] ?? ''))
    if (isOfPage && path !== undefined) typeSetting({ path, value, initial, isFinished })
    else if (blockId !== undefined && path !== undefined)
      typeInPage({ blockId, position: path, value, initial, isFinished })
  }
  const actions: Readonly<Record<string, () => void>> = {
    routeChanged() {
      shown.value = text(payload['slug']) ?? '/'
      scrolledTo = undefined
      movesInFrame.value = []
      isEditedInFrame.value = false
      post('setSelectionMode', { enabled: mode.value === 'edit' })
      // A script of the page leads nowhere, unless there is nothing to leave.
      const isFollowed = isPersonInFrame() || page.value === undefined
      if (isFollowed && shown.value !== slug.value) void openPage(shown.value)
    },
    blockClicked() {
      // A text of another document, such as that of the header.
      const on = text(payload['slug'])
      if (on !== undefined && on !== slug.value && isDocument(on)) {
        shown.value = on
        void openPage(on)
      }
      isOwn = true
      select(blockId === undefined || isOfPage ? undefined : { blockId, path })
      if (isOfPage) openSettings('page')
      isOwn = false
    },
    notShown: () =>
      say(`Saved in ${placeName(text(payload['slug']) ?? '')}, not shown on this page`, {
        text: 'Undo',
        run: () => void takeStep('undo'),
      }),
    textLeft: () => void (blockId && offerTyped(blockId, path ?? '', String(payload['value']))),
    textRefused: () =>
      say('Markdown has no spelling for this beside the marks of the text. What was typed last is left out.'),
    pageScrolled: () => void (scrolledTo = payload),
    blockReordered: () => void (blockId && moveAfter(blockId, text(payload['afterBlockId']))),
    blockDeleteRequested() {
      if (blockId !== undefined) void removeOnWish(nameOfBlock(blockId), blockId, () => void remove(blockId))
    },
    blockAddRequested() {
      if (takesBlocks.value && addableTypes().length > 0)
        adding.value = { after: text(payload['afterBlockId']) }
    },
    editBlockRequested() {
      if (blockId === undefined) return
      select({ blockId, path })
      openSide('fields')
      isFieldWanted.value = true
    },
    inlineEditing: () => void (isEditedInFrame.value = payload['isOn'] === true),
    inlineTextTyped: () => typed(false),
    inlineTextCommitted: () => typed(true),
    listItemAddRequested: () =>
      rows({
        op: 'add_item',
        item: newRow(typeOf.value(text(payload['blockType']) ?? '')?.fields?.[listKey]),
        ...place,
      }),
    listItemRemoveRequested() {
      const row = listIn(blockId, listKey)[index]
      const removeRow = (): void => {
        const at = listIn(blockId, listKey).findIndex((each) => isSameRow(each, row))
        if (at !== -1) rows({ op: 'remove_item', index: at })
      }
      if (blockId !== undefined) void removeOnWish(`a row of ${nameOfBlock(blockId)}`, blockId, removeRow)
    },
    listItemMoveRequested: () => rows({ op: 'move_item', index, ...place }),
    placesOffered() {
      const places = offeredPlaces(payload)
      if (places.length > 0) placing.value = { text: text(payload['text']) ?? '', places }
    },
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
