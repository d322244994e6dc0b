import type { DraftEvent } from '../draft-stream.ts'
import { createInline } from './inline.ts'
import { passKeysOn } from './keys.ts'
import { createLinks } from './links.ts'
import type { ChosenPlace, Handlers, Message } from './messages.ts'
import { openOverlay } from './overlay.ts'
import { findBlock, findField, idOf, linesOf, storedPath, textsIn } from '../page.ts'
import { createPlaceholders } from './placeholders.ts'
import { followPointer } from './pointer.ts'
import { createProgress } from './progress.ts'
import { shareScroll } from './scroll.ts'
import { createSelection, describeSelected } from './selection.ts'
import { createTools } from './tools.ts'
import type { Typing } from './typing.ts'
import { createView } from './view.ts'

/** How long an editor waits for the result of a patch at most. */
const patchTimeoutMs = 2500
const positions = ['start', 'center', 'end', 'nearest'] as const

export interface OpenBridgeOptions {
  readonly slug: () => string
  readonly send: (type: string, payload: Readonly<Record<string, unknown>>) => void
  readonly scrolled: () => void
  readonly acknowledge: (ack: Readonly<Record<string, unknown>>) => void
  readonly confirms: () => boolean
  readonly refresh: (cause: 'message') => Promise<boolean>
  /** Called with a change of the draft that the editor has read. */
  readonly changed: (event: DraftEvent) => void
  readonly keep: readonly string[]
  readonly navigate?: ((href: string) => void) | undefined
  readonly typingIn?: ((field: HTMLElement) => Typing | undefined) | undefined
  readonly placeChosen?: ((place: ChosenPlace) => void) | undefined
  readonly signal: AbortSignal
}

export type OpenBridge = ReturnType<typeof openBridge>

/** Creates the tools once an editor answered, and carries out its messages. */
export function openBridge({
  slug,
  send,
  scrolled,
  acknowledge,
  confirms,
  refresh,
  changed,
  keep,
  navigate,
  typingIn,
  placeChosen,
  signal,
}: OpenBridgeOptions) {
  const overlay = openOverlay(signal, () => {
    const { blockId, path } = selection.get() ?? {}
    const block = confirms() ? undefined : findBlock(blockId)
    return block ? linesOf(block, path) : []
  })
  const selection = createSelection({
    onClick(selected) {
      awaited = undefined
      send('blockClicked', describeSelected(selected))
    },
    keepsSelection: () => !confirms(),
    onAgain: (event) => tools.openSelected() || inline.begin(event),
    onChange: () => tools.redraw(),
    isOurs: (event) => overlay.isOver(event) || inline.isEditing(event),
    signal,
  })
  const tools = createTools({ overlay, selection, send, confirms, signal })
  const inline = createInline({
    isOn: selection.isOn,
    wanted(isTyped) {
      const { blockId, path } = selection.get() ?? {}
      const block = findBlock(blockId)
      if (path !== undefined) return findField(block, path)
      return block && !isTyped ? textsIn(block)[0] : undefined
    },
    openSelected: () => tools.openSelected(),
    onBegin(blockId, path) {
      const selected = selection.get()
      if (selected?.blockId === blockId && selected.path === path) return tools.redraw()
      selection.set({ blockId, path })
      send('blockClicked', describeSelected(selection.get()))
    },
    send,
    isFollowed: () => !confirms(),
    onEnd(isSent) {
      tools.redraw()
      // Before it is stored, the page would show the text of before. Its event comes earlier.
      setTimeout(refresh, isSent ? patchTimeoutMs : 0, 'message')
    },
    typingIn,
    signal,
  })
  passKeysOn({ moveSelected: tools.moveSelected, send, signal })
  const links = createLinks({ isSelecting: selection.isOn, keep, navigate, signal })
  const progress = createProgress(overlay)
  const pointer = followPointer(overlay, selection.isOn, signal)
  const showPlaceholders = createPlaceholders(signal)
  // Older editors do not know this message.
  const shared = shareScroll((place) => !confirms() && send('pageScrolled', { ...place }), signal)
  /** What the editor selected before the page had it, such as a block that was just added. */
  let awaited: Parameters<Handlers['highlightBlock']>[0] | undefined
  const view = createView({ overlay, selection, scrolled, signal })

  const refreshAndFocus = async (blockId: string | null | undefined): Promise<boolean> => {
    const isShown = await refresh('message')
    view.focus(blockId)
    return isShown
  }

  const handlers: Omit<Handlers, 'hello'> = {
    setSelectionMode({ enabled }) {
      selection.turn(enabled)
      pointer.renew()
      showPlaceholders(enabled && !confirms())
    },
    setCapabilities: ({ structural }) => tools.allowStructure(structural),
    setNestedLabelsVisibility: ({ visible }) => pointer.showLabels(visible),
    setNames: ({ names }) => tools.rename(names),
    setScale: ({ factor }) => overlay.setScale(factor),
    markPlanned: ({ blockIds }) => progress.plan(Object.values(blockIds)),
    highlightBlock(wanted) {
      const { blockId, editablePath, scrollIntoView } = wanted
      const block = findBlock(blockId)
      const selected = selection.get()
      // A part of a value that is selected stays the selected one.
      const isPart = selected?.blockId === blockId && storedPath(selected?.path ?? '') === editablePath
      const path = isPart ? selected?.path : editablePath || undefined
      // The block that is looked at moves no further than needed.
      const isSame = !confirms() && selected?.blockId === blockId
      awaited = blockId && !block && !confirms() ? wanted : undefined
      selection.set(block ? { blockId: idOf(block), path } : undefined)
      if (!block || !scrollIntoView) return
      // Of a block that is taller than the window, the top says more than the middle.
      const isNear = isSame || block.offsetHeight > innerHeight
      view.scrollTo(blockId, { block: isNear ? 'nearest' : 'center' }, path)
    },
    scrollToBlock({ blockId, behavior, block: position }) {
      view.scrollTo(blockId, {
        behavior: behavior === 'smooth' ? behavior : 'auto',
        block: positions.find((each) => each === position) ?? 'center',
      })
    },
    scrollPage: (place) => shared.to(place),
    draftChanged: ({ event }) => changed(event),
    draftUpdated({ focusBlockId, navigateTo }) {
      progress.endWriting(true)
      if (navigateTo === undefined || navigateTo === slug()) return void refreshAndFocus(focusBlockId)
      if (focusBlockId) view.focusOnNextPage(focusBlockId)
      links.open(navigateTo)
    },
    async applyPatch({ txId, focusBlockId }) {
      const late = new Promise<false>((resolve) => void setTimeout(resolve, patchTimeoutMs, false))
      const accepted = await Promise.race([refreshAndFocus(focusBlockId), late])
      acknowledge({ txId, accepted, ...(!accepted && { reason: 'apply_error' }) })
    },
    resetToServer: ({ focusBlockId }) => void refreshAndFocus(focusBlockId),
    navigate: ({ href }) => links.open(href),
    renew: links.renew,
    liveDraft({ blockId, active, commit, fields }) {
      if (active) progress.write(blockId, fields ?? {})
      else progress.endWriting(commit === true)
    },
    showSkeleton: ({ afterBlockId, blockType }) =>
      progress.showSkeleton(afterBlockId ?? undefined, blockType),
    removeSkeleton: () => progress.removeSkeletons(),
    choosePlace: (place) => placeChosen?.(place),
    aiFieldLoading: ({ blockId, active }) =>
      progress.shimmer(active ? blockId || selection.get()?.blockId : undefined),
  }

  return {
    inline,
    overlay,
    selection,
    hear({ type, payload }: Message) {
      if (type !== 'hello') handlers[type](payload as never)
    },
    /** Gives a framework the elements that it rendered: those with live text were put in their place. */
    willRender: () => progress.endWriting(false),
    /** Follows the elements of the page after it was rendered. */
    rendered(): void {
      progress.rendered()
      view.rendered()
      if (awaited && findBlock(awaited.blockId ?? '')) handlers.highlightBlock(awaited)
      else selection.mark()
    },
  }
}
