import { livePreview, type LivePreviewOptions } from '../live-preview.ts'
import { connect } from './connect.ts'
import { openBridge } from './open.ts'

export interface BridgeOptions extends LivePreviewOptions {
  /** Shows another page, such as `router.push(href)`; by default the browser loads it. */
  readonly navigate?: ((href: string) => void) | undefined
  /** `required` refuses editors that do not answer with the nonce of the document. */
  readonly handshake?: 'required' | undefined
  /** Parameters of the address that links keep, besides those of an editor. */
  readonly keep?: readonly string[] | undefined
}

/**
 * Lets the editor in whose frame a draft page is shown select, edit and follow it, by the messages of
 * `site-editor/v1`; keeps the page up to date as `livePreview` does. Until the editor answers, the page stays
 * as it is. Does nothing but the live preview outside a frame, or without the origin of a listed editor. Ends
 * with `close()`.
 */
export function bridge(options: BridgeOptions): { close(): void } {
  const { editorOrigin, render } = options
  if (window.parent === window || editorOrigin === undefined) return livePreview(options)
  let slug = options.slug

  const preview = livePreview({
    ...options,
    render:
      render &&
      ((page) => {
        // A framework would write the text under the caret; once it is left, the page is looked at again.
        if (channel.isBound() && tools()?.inline.block()) throw new Error('in use')
        tools()?.willRender()
        return render(page)
      }),
    held: () => tools()?.inline.block(),
    onRendered: (rendered) => {
      tools()?.rendered()
      channel.send('rendered', { slug, ...rendered })
    },
    onRefused(reason) {
      // A page that cannot reach its orchestrator for a moment keeps the draft that it shows; one in which a text is
      // typed keeps it too, and is looked at again once the text is left.
      if (reason !== 'orchestrator_unreachable' && !tools()?.inline.block())
        channel.send('previewStatus', { slug, state: 'published', reason })
    },
  })
  const locate = (): void => {
    const shown = slugOf(location.pathname)
    if (shown === slug) return
    slug = shown
    channel.announce(slug)
  }
  const { channel, tools, signal, close } = connect({
    ...options,
    editorOrigin,
    slug: () => slug,
    navigate: options.navigate ?? ((href) => location.assign(href)),
    refresh: preview.look,
    changed: preview.hear,
    openTools: openBridge,
    onMutation: locate,
  })
  window.addEventListener('popstate', locate, { signal })
  channel.announce(slug)

  return {
    close() {
      close()
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

export { marks, type MarkOptions } from './marks.ts'
