/** Keeps the places of the texts on a page marked, while a framework renders it. */
import { connect } from '../bridge/connect.ts'
import type { Message } from '../bridge/messages.ts'
import type { OpenBridgeOptions } from '../bridge/open.ts'
import { untilHydrated } from '../hydrated.ts'
import type { Editing } from './editing.ts'
import { createPlacedPage } from './placed-page.ts'
import { expectRendering } from './render-again.ts'
import { reportPage, type PageReport } from './report.ts'
import { askForPlaces, type PlacesAnswer, type TextsConfig } from './service.ts'
import { watchPage } from './watch.ts'

/** When the places of a text that has lost its own are asked for again, and those that could not be read. */
const againAfterMs = [300, 1000, 3000]
/** How long a page without texts may take to show some. */
const emptyMs = 2000

export function followTexts({ editorOrigin }: TextsConfig): void {
  let slug: string | undefined
  /** The path for which it was announced last. */
  let path: string | undefined
  /** The report that was answered last. */
  let asked = ''
  let answer: PlacesAnswer | undefined
  let isWanted = false
  /** Loaded once an editor answers. */
  let editing: Editing | undefined
  /** What the editor has sent before that. */
  const waiting: Message[] = []

  const { channel, signal } = connect({
    editorOrigin,
    slug: () => slug ?? location.pathname,
    refresh: async () => {
      ask()
      return true
    },
    changed: expectRendering({
      shown: () => ({ body: asked, placed: page.shown().placed.length }),
      ask,
      mayRender: () => !editing?.isTyping() && !editing?.isAwaiting(),
    }),
    openTools(bridge) {
      void openEditing(bridge)
      return {
        hear: (message) => void (editing ? editing.tools.hear(message) : waiting.push(message)),
        rendered: () => editing?.tools.rendered(),
      }
    },
  })
  const watch = watchPage({
    rendered: (records) => editing?.rendered(records),
    typed: () => editing?.typed(),
    look,
    signal,
  })
  const page = createPlacedPage({ watch, isTyped: (node) => editing?.isTyped(node) === true })
  watch.soon()

  async function openEditing(bridge: OpenBridgeOptions): Promise<void> {
    const part = await import('./editing.ts')
    editing = part.openEditing({ bridge, page, watch })
    for (const message of waiting) editing.tools.hear(message)
    watch.now()
  }

  /** Asks for the places again, although the page shows the same texts. */
  function ask(): void {
    isWanted = true
    watch.now()
  }
  const askAgain = (): void => againAfterMs.forEach((ms) => setTimeout(ask, ms))

  async function look(): Promise<boolean> {
    // A text that is typed is none of the content yet.
    if (editing?.isTyping()) return true
    const report = reportPage()
    if (report.texts.length === 0 && performance.now() < emptyMs) {
      watch.soon()
      return true
    }
    const isSame = report.body === asked && !isWanted
    if (!isSame) await read(report)
    announce()
    await untilMarkable(report)
    // Elements may have been replaced meanwhile.
    const now = isSame ? report : reportPage()
    editing?.look(now.texts)
    if (!answer || now.body !== asked) watch.soon()
    else if (channel.isOpen() && !editing?.isTyping()) show(now, answer)
    return isSame
  }

  async function read({ body }: PageReport): Promise<void> {
    isWanted = false
    const next = await askForPlaces(body).catch(() => undefined)
    asked = body
    if (next) answer = next
    else setTimeout(ask, againAfterMs.at(-1))
  }

  function announce(): void {
    // The document may be known by the text that is not in the content yet.
    const isHeld = editing?.isAwaiting() === true && path === location.pathname
    const now = answer?.document?.slug ?? (isHeld ? slug : undefined) ?? location.pathname
    path = location.pathname
    if (now === slug) return
    slug = now
    channel.announce(slug)
  }

  function show(report: PageReport, given: PlacesAnswer): void {
    const { isChanged, isHeld } = page.show(report, given)
    if (isHeld) askAgain()
    editing?.marked(isChanged)
  }
}

/** Resolves once a framework does not compare the page with its own any more. */
async function untilMarkable({ texts, pictures, links }: PageReport): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((loaded) => window.addEventListener('load', loaded, { once: true }))
  const changed = [...texts.map(({ element }) => element), ...pictures, ...links]
  // It may be waited for less already.
  for (let taken; (taken = untilHydrated(changed));) await taken
}
