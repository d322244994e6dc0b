import { addressOn } from '../../../content/page-address.ts'

/** The parameters of an editor in the address of a draft page, which its links keep. */
const contextParameters = ['session', 'siteId', 'editorOrigin', '__editor']

interface LinksOptions {
  /** Whether a click selects instead of following a link. */
  readonly isSelecting: () => boolean
  /** Further parameters to keep, such as the one that authorised this document. */
  readonly keep: readonly string[]
  /** Shows another page of the site; without it the links of the site are followed as they are. */
  readonly navigate?: ((href: string) => void) | undefined
  readonly signal: AbortSignal
}

/** Follows links inside the frame without losing the draft; other sites open in a window of their own. */
export function createLinks({ isSelecting, keep, navigate, signal }: LinksOptions) {
  const withContext = (url: URL): string => {
    const here = new URLSearchParams(location.search)
    for (const name of [...contextParameters, ...keep]) {
      const value = here.get(name)
      if (value !== null && !url.searchParams.has(name)) url.searchParams.set(name, value)
    }
    return `${url.pathname}${url.search}${url.hash}`
  }

  const click = (event: MouseEvent): void => {
    if (isSelecting() || event.defaultPrevented || !isPlain(event) || !(event.target instanceof Element))
      return
    const link = event.target.closest('a')
    const url = link && URL.parse(link.href)
    if (!link || !url || link.hasAttribute('download') || opensWindow.test(link.target)) return
    const isPage = /^https?:/.test(url.href)
    const isHere = url.pathname === location.pathname && url.hash !== ''
    const isInside = url.origin === location.origin && !link.relList.contains('external')
    if (!isPage || (isInside && (isHere || !navigate))) return
    event.preventDefault()
    event.stopPropagation()
    if (isInside) navigate?.(withContext(url))
    else window.open(url.href, '_blank', 'noopener')
  }
  document.addEventListener('click', click, { capture: true, signal })
  document.addEventListener('submit', (event) => event.preventDefault(), { capture: true, signal })

  return {
    /** Puts a newer secret into the address of a document that was authorised by one, without loading it. */
    renew({ secret }: { readonly secret: string }): void {
      if (!keep.includes('secret')) return
      const url = new URL(location.href)
      url.searchParams.set('secret', secret)
      // A state with the mark of Next.js would be a change that it knows, and it would go on with the former address.
      history.replaceState({ ...history.state, __NA: 0 }, '', url)
    },
    /** Goes to a path that an editor names; ignores other origins, and addresses that a browser would read as one. */
    open(href: string): void {
      const url = addressOn(location.origin, href)
      if (url && url.pathname !== location.pathname)
        (navigate ?? ((address) => location.assign(address)))(withContext(url))
    },
  }
}

/** The targets that open a window of their own; the one around the frame is that of the editor. */
const opensWindow = /^([^_]|_b)/i

const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  !(button || altKey || ctrlKey || metaKey || shiftKey)
