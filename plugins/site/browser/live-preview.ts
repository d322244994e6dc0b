/** The data of a draft page for the browser: plain JSON, which a server may pass to a component. */
export interface LiveDraft {
  /** The orchestrator for the browser: its origin, or the path of a mount on the site itself. */
  readonly orchestrator: string
  /** Empty for the default site of the orchestrator. */
  readonly siteId: string
  /** By default, the default session of the orchestrator. */
  readonly session?: string | undefined
  /** The address of the page on the site. */
  readonly slug: string
  /** `updatedAt` of the displayed page; absent if this slug has no page yet. */
  readonly updatedAt?: string | undefined
}

export interface LivePreviewOptions extends LiveDraft {
  /** Sent to an orchestrator that requires one. */
  readonly accessToken?: string | undefined
  /**
   * Shows the newer page, for example with `router.refresh()`. By default, the page is loaded again, and
   * changed elements with `data-block-id` are replaced; `editor:rendered` is then dispatched on the document.
   */
  readonly render?: ((page: LivePage | undefined) => void | Promise<void>) | undefined
}

/** A page document from the orchestrator, with the blocks of the draft. */
export interface LivePage {
  readonly slug: string
  readonly title: string
  readonly updatedAt: string
  readonly blocks: readonly {
    readonly id: string
    readonly type: string
    readonly props: Readonly<Record<string, unknown>>
  }[]
}

/**
 * Keeps a draft page in a browser up to date: listens to the changes of the draft, and shows the page again
 * if it is strictly newer than the displayed one, or if the header of the site changed. Ends with `close()`.
 *
 * Must not use anything outside itself, because `livePreviewScript` sends its source text to browsers.
 */
export function livePreview(options: LivePreviewOptions): { close(): void } {
  const { siteId, session, slug, accessToken } = options
  const orchestrator = options.orchestrator.replace(/(?<!\/)\/+$/, '')
  const longestWait = 15_000
  const draft = new URLSearchParams({
    ...(session !== undefined && { session }),
    ...(siteId !== '' && { siteId }),
  })
  const show = options.render ?? showAgain
  const timeOf = (stamp = ''): number => Date.parse(stamp) || 0
  let shown = timeOf(options.updatedAt)
  let stream: EventSource | undefined
  let failures = 0
  let isClosed = false
  let isLooking = false
  /** Whether the next update is shown even if the page is not newer; `undefined` if none is wanted. */
  let wanted: boolean | undefined

  listen()
  return {
    close() {
      isClosed = true
      stream?.close()
    },
  }

  function listen(): void {
    if (isClosed) return
    const token = accessToken === undefined ? '' : `&accessToken=${encodeURIComponent(accessToken)}`
    stream = new EventSource(`${orchestrator}/events?${draft}${token}`)
    stream.addEventListener('open', () => {
      failures = 0
    })
    stream.addEventListener('message', ({ data }) => hear(JSON.parse(data)))
    stream.addEventListener('error', () => {
      // A browser reconnects automatically, unless the answer was an error.
      if (stream?.readyState === EventSource.CLOSED)
        setTimeout(listen, Math.min(1000 * 2 ** failures++, longestWait))
    })
  }

  function hear(event: {
    readonly type: string
    readonly slugs?: readonly string[]
    readonly removedSlugs?: readonly string[]
    readonly configChanged?: boolean
  }): void {
    const isChange = event.type === 'draft' || event.type === 'history'
    const isHeader = isChange && (event.configChanged === true || event.removedSlugs !== undefined)
    const isPage = isChange && event.slugs?.includes(slug) === true
    // The page may have changed during the pause.
    if (isHeader || isPage || event.type === 'hello' || event.type === 'reset') void look(isHeader)
  }

  async function look(isHeader: boolean): Promise<void> {
    wanted = isHeader || wanted === true
    if (isLooking) return
    isLooking = true
    while (wanted !== undefined) {
      const anyway: boolean = wanted
      wanted = undefined
      try {
        const page = await load()
        const time = timeOf(page?.updatedAt)
        const isNewer = page ? time > shown : shown > 0
        if (!isClosed && (isNewer || anyway)) {
          await show(page)
          shown = time
        }
      } catch {
        // The next change or connection checks again.
      }
    }
    isLooking = false
  }

  async function load(): Promise<LivePage | undefined> {
    const headers = accessToken === undefined ? {} : { 'x-access-token': accessToken }
    const response = await fetch(`${orchestrator}/draft/pages?${draft}&slug=${encodeURIComponent(slug)}`, {
      headers,
    })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`the orchestrator answered ${response.status}`)
    return response.json()
  }

  async function showAgain(): Promise<void> {
    const response = await fetch(location.href, { cache: 'no-store' })
    const next = new DOMParser().parseFromString(await response.text(), 'text/html')
    const blocks = [...document.querySelectorAll('[data-block-id]')]
    const newer = [...next.querySelectorAll('[data-block-id]')]
    const idsOf = (elements: readonly Element[]): string =>
      elements.map((element) => element.getAttribute('data-block-id')).join('\n')
    document.title = next.title
    if (blocks.length > 0 && idsOf(blocks) === idsOf(newer)) {
      for (const [at, block] of blocks.entries()) {
        const replacement = newer[at]
        if (replacement && !block.isEqualNode(replacement)) block.replaceWith(replacement)
      }
    } else {
      const { scrollX, scrollY } = window
      document.body.replaceChildren(...next.body.childNodes)
      window.scrollTo(scrollX, scrollY)
    }
    document.dispatchEvent(new CustomEvent('editor:rendered'))
  }
}
