import { livePreview, type LivePreviewOptions } from '../live-preview.ts'
import { openChannel } from './channel.ts'
import { createInline } from './inline.ts'
import { createKeys } from './keys.ts'
import { createLinks } from './links.ts'
import type { Handlers, Message } from './messages.ts'
import { areaOf, openOverlay, tag, type Box } from './overlay.ts'
import { blockAround, fieldAround, fieldsOf, findBlock, findField, idOf, isInline, pathOf } from './page.ts'
import { createProgress } from './progress.ts'
import { shareScroll } from './scroll.ts'
import { createSelection, describeSelected } from './selection.ts'
import { createTools } from './tools.ts'

export interface BridgeOptions extends LivePreviewOptions {
  /** Shows another page, such as `router.push(href)`; by default the browser loads it. */
  readonly navigate?: ((href: string) => void) | undefined
  /** `required` refuses editors that do not answer with the nonce of the document. */
  readonly handshake?: 'required' | undefined
  /** Parameters of the address that links keep, besides those of an editor. */
  readonly keep?: readonly string[] | undefined
}

const scrollEveryMs = 100
/** How long scrolling counts as the editor's after `scrollToBlock`. */
const quietAfterScrollMs = 800
/** How long an editor waits for the result of a patch at most. */
const patchTimeoutMs = 2500
const focusKey = 'content-orchestrator:focus'

/**
 * Lets the editor in whose frame a draft page is shown select, edit and follow it, by the messages of
 * `site-editor/v1`; keeps the page up to date as `livePreview` does. Until the editor answers, the page stays as it
 * is. Does nothing but the live preview outside a frame, or without the origin of a listed editor. Ends with `close()`.
 */
export function bridge(options: BridgeOptions): { close(): void } {
  const { editorOrigin, handshake, keep = [], render } = options
  if (window.parent === window || editorOrigin === undefined) return livePreview(options)
  const navigate = options.navigate ?? ((href) => location.assign(href))
  let slug = options.slug
  let tools: OpenBridge | undefined

  const preview = livePreview({
    ...options,
    render:
      render &&
      ((page) => {
        // A framework would write the text under the caret; once it is left, the page is looked at again.
        if (channel.isBound() && tools?.inline.block()) throw new Error('a text is being typed')
        tools?.willRender()
        return render(page)
      }),
    held: () => tools?.inline.block(),
    onRendered: (rendered) => {
      tools?.rendered()
      channel.send('rendered', { slug, ...rendered })
    },
  })
  const channel = openChannel({
    editorOrigin,
    handshake,
    onOpen() {
      tools = openTools()
    },
    onMessage: (message) => tools?.hear(message),
  })

  const openTools = () =>
    openBridge({
      slug: () => slug,
      send: (type, payload) => channel.send(type, { slug, ...payload }),
      scrolled: () => channel.send('iframeScrolled', {}),
      acknowledge: (ack) => channel.acknowledge(ack),
      confirms: () => !channel.isBound(),
      look: preview.look,
      keep,
      navigate,
    })

  const locate = (): void => {
    const shown = slugOf(location.pathname)
    if (shown === slug) return
    slug = shown
    channel.announce(slug)
  }
  const mutations = new MutationObserver(() => {
    locate()
    tools?.rendered()
  })
  mutations.observe(document.body, { childList: true, subtree: true })
  window.addEventListener('popstate', locate)
  document.documentElement.toggleAttribute('data-editor-active', true)
  channel.announce(slug)

  return {
    close() {
      mutations.disconnect()
      window.removeEventListener('popstate', locate)
      document.documentElement.removeAttribute('data-editor-active')
      tools?.close()
      channel.close()
      preview.close()
    },
  }
}

/** The slug of a path, as editors name it: decoded, without a slash at its end. */
function slugOf(path: string): string {
  try {
    return decodeURIComponent(path).replace(/(?<!\/)\/+$/, '') || '/'
  } catch {
    return path
  }
}

interface OpenBridgeOptions {
  readonly slug: () => string
  readonly send: (type: string, payload: Readonly<Record<string, unknown>>) => void
  readonly scrolled: () => void
  readonly acknowledge: (ack: Readonly<Record<string, unknown>>) => void
  readonly confirms: () => boolean
  readonly look: (cause: 'message') => Promise<boolean>
  readonly keep: readonly string[]
  readonly navigate: (href: string) => void
}

type OpenBridge = ReturnType<typeof openBridge>

/** Creates the tools once an editor answered, and carries out its messages. */
function openBridge({
  slug,
  send,
  scrolled,
  acknowledge,
  confirms,
  look,
  keep,
  navigate,
}: OpenBridgeOptions) {
  const overlay = openOverlay()
  const selection = createSelection({
    onClick(selected) {
      awaited = undefined
      send('blockClicked', describeSelected(selected))
    },
    isKept: () => !confirms(),
    onAgain: (event) => inline.begin(event),
    onChange: () => tools.redraw(),
    isOurs: (event) => overlay.isOver(event) || inline.isEditing(event),
  })
  const tools = createTools({ overlay, selection, send, confirms })
  const inline = createInline({
    isOn: selection.isOn,
    wanted() {
      const { blockId, path } = selection.get() ?? {}
      const block = blockId === undefined ? undefined : findBlock(blockId)
      return block && (path === undefined ? fieldsOf(block).find(isInline) : findField(block, path))
    },
    onBegin(blockId, path) {
      const selected = selection.get()
      if (selected?.blockId === blockId && selected.path === path) return tools.redraw()
      selection.set({ blockId, path })
      send('blockClicked', describeSelected(selection.get()))
    },
    send,
    isFollowed: () => !confirms(),
    onEnd() {
      tools.redraw()
      void look('message')
    },
  })
  const keys = createKeys({ moveSelected: tools.moveSelected, send })
  const links = createLinks({ isSelecting: selection.isOn, keep, navigate })
  const progress = createProgress(overlay)
  const pointer = followPointer(overlay, selection.isOn)
  // Older editors do not know this message.
  const shared = shareScroll((place) => !confirms() && send('pageScrolled', { ...place }))
  /** What the editor selected before the page had it, such as a block that was just added. */
  let awaited: Parameters<Handlers['highlightBlock']>[0] | undefined
  let quietUntil = 0
  let lastScroll = 0

  const scroll = (): void => {
    const now = performance.now()
    if (now < quietUntil || now - lastScroll < scrollEveryMs) return
    lastScroll = now
    scrolled()
  }
  window.addEventListener('scroll', scroll, { passive: true })

  const scrollTo = (block: Element, how: ScrollIntoViewOptions): void => {
    quietUntil = performance.now() + quietAfterScrollMs
    block.scrollIntoView(how)
  }

  /** Selects a block after a change, and scrolls to it if it is outside the window. */
  const focus = (blockId: string | null | undefined): void => {
    const block = blockId ? findBlock(blockId) : undefined
    if (!block || !blockId) return
    if (selection.get()?.blockId !== blockId) selection.set({ blockId, path: undefined })
    const { top, bottom } = block.getBoundingClientRect()
    if (bottom < 0 || top > innerHeight) scrollTo(block, { block: 'center' })
    const pulse: Box = overlay.add('pulse', () => areaOf(findBlock(blockId)))
    setTimeout(pulse.remove, 700)
  }
  focus(storage()?.getItem(focusKey))
  storage()?.removeItem(focusKey)

  const lookAndFocus = async (blockId: string | null | undefined): Promise<boolean> => {
    const isShown = await look('message')
    focus(blockId)
    return isShown
  }

  const handlers: Omit<Handlers, 'hello'> = {
    setSelectionMode: ({ enabled }) => selection.turn(enabled),
    setCapabilities: ({ structural }) => tools.allowStructure(structural),
    setNestedLabelsVisibility: ({ visible }) => pointer.showLabels(visible),
    setNames: ({ names }) => tools.rename(names),
    highlightBlock(wanted) {
      const { blockId, editablePath, scrollIntoView } = wanted
      const block = blockId ? findBlock(blockId) : undefined
      const before = selection.get()
      const path = editablePath || undefined
      awaited = blockId && !block && !confirms() ? wanted : undefined
      selection.set(block ? { blockId: idOf(block), path } : undefined)
      if (!block || !scrollIntoView) return
      const field = path === undefined ? undefined : findField(block, path)
      // Of the block that is looked at, another field moves nothing while it is in sight.
      const isBeside = !confirms() && before?.blockId === blockId && before?.path !== path
      scrollTo(field ?? block, { block: isBeside ? 'nearest' : 'center' })
    },
    scrollToBlock({ blockId, behavior, block: position }) {
      const block = findBlock(blockId)
      if (block) scrollTo(block, { behavior, block: position })
    },
    scrollPage: (place) => shared.to(place),
    draftUpdated({ focusBlockId, navigateTo }) {
      progress.endWriting(true)
      if (navigateTo === undefined || navigateTo === slug()) return void lookAndFocus(focusBlockId)
      if (focusBlockId) storage()?.setItem(focusKey, focusBlockId)
      links.open(navigateTo)
    },
    async applyPatch({ txId, focusBlockId }) {
      const late = new Promise<false>((resolve) => void setTimeout(resolve, patchTimeoutMs, false))
      const accepted = await Promise.race([lookAndFocus(focusBlockId), late])
      acknowledge({ txId, accepted, ...(!accepted && { reason: 'apply_error' }) })
    },
    resetToServer: ({ focusBlockId }) => void lookAndFocus(focusBlockId),
    navigate: ({ href }) => links.open(href),
    liveDraft({ blockId, active, commit, fields }) {
      if (active) progress.write(blockId, fields ?? {})
      else progress.endWriting(commit === true)
    },
    showSkeleton: ({ afterBlockId, blockType }) =>
      progress.showSkeleton(afterBlockId ?? undefined, blockType),
    removeSkeleton: () => progress.removeSkeletons(),
    aiFieldLoading: ({ blockId, active }) =>
      progress.shimmer(active ? blockId || selection.get()?.blockId : undefined),
  }

  return {
    inline,
    hear({ type, payload }: Message) {
      if (type !== 'hello') handlers[type](payload as never)
    },
    /** Gives a framework the elements that it rendered: those with live text were put in their place. */
    willRender: () => progress.endWriting(false),
    /** Follows the elements of the page after it was rendered. */
    rendered(): void {
      progress.rendered()
      if (awaited && findBlock(awaited.blockId ?? '')) handlers.highlightBlock(awaited)
      else selection.mark()
    },
    close() {
      window.removeEventListener('scroll', scroll)
      for (const part of [shared, pointer, keys, links, inline, selection, overlay]) part.close()
    },
  }
}

/** Keeps the block to show on the next page; a browser may refuse it to frames of another site. */
function storage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

/** Outlines what is under the pointer while a click would select it, and names its field on request. */
function followPointer(overlay: ReturnType<typeof openOverlay>, isOn: () => boolean) {
  let shown: { readonly field: Element; readonly box: Box } | undefined
  let hasLabels = false

  const show = (field: Element | undefined): void => {
    if (shown?.field === field) return
    shown?.box.remove()
    const label =
      field?.getAttribute('data-editable-label') ?? field?.getAttribute('data-editable-target-label')
    const labels = field && hasLabels ? [tag(label || pathOf(field))] : []
    shown = field && { field, box: overlay.add('hover', () => areaOf(field), ...labels) }
  }
  const move = (event: Event): void => {
    const target = isOn() || hasLabels ? event.target : null
    const block = target instanceof Element ? blockAround(target) : undefined
    show(block && target instanceof Element ? (fieldAround(target, block) ?? block) : undefined)
  }
  document.addEventListener('pointerover', move, { passive: true })

  return {
    showLabels(visible: boolean) {
      hasLabels = visible
      show(undefined)
    },
    close() {
      document.removeEventListener('pointerover', move)
      show(undefined)
    },
  }
}

export { marks, type MarkOptions } from './marks.ts'
