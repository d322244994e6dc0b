/** Keeps the places of the texts on a page marked, while a framework renders it. */
import { connect } from '../bridge/connect.ts'
import { untilHydrated } from '../hydrated.ts'
import { createAwaiting } from './awaiting.ts'
import { explainTexts } from './notes.ts'
import { createPlacedPage } from './placed-page.ts'
import { reportPage, type PageReport } from './report.ts'
import { restoreView } from './restore.ts'
import { askForPlaces, type PlacesAnswer, type TextsConfig } from './service.ts'
import { createTypist } from './typist.ts'
import { watchPage } from './watch.ts'

/** When the places of a text that has lost its own are asked for again, and those that could not be read. */
const againAfterMs = [300, 1000, 3000]
/** How long a page without texts may take to show some. */
const emptyMs = 2000

export function followTexts({ editorOrigin }: TextsConfig): void {
  let slug: string | undefined
  /** The report that was answered last. */
  let asked = ''
  let answer: PlacesAnswer | undefined
  let isWanted = false

  const { channel, send, signal, tools } = connect({
    editorOrigin,
    slug: () => slug ?? location.pathname,
    refresh: async () => {
      ask()
      return true
    },
    changed: () => ask(),
    typingIn: (field) => page.typeIn(field),
  })
  const typist = createTypist(tools, signal)
  const awaiting = createAwaiting({
    notShown: ({ slug: of, blockId, file }) => send('notShown', { slug: of, blockId, file }),
    isTyping: typist.isTyping,
    signal,
  })
  const watch = watchPage({
    rendered(records) {
      awaiting.rendered(records)
      typist.rendered(records)
    },
    typed: typist.note,
    look,
    signal,
  })
  const restore = restoreView(tools, signal)
  const page = createPlacedPage({ awaiting, typist, watch })
  explainTexts(tools, page.shown, signal)
  watch.soon()

  /** Asks for the places again, although the page shows the same texts. */
  function ask(): void {
    isWanted = true
    watch.now()
  }
  const askAgain = (): void => againAfterMs.forEach((ms) => setTimeout(ask, ms))

  async function look(): Promise<boolean> {
    // A text that is typed is none of the content yet.
    if (typist.isTyping()) return true
    const report = reportPage()
    if (report.texts.length === 0 && performance.now() < emptyMs) {
      watch.soon()
      return true
    }
    const isSame = report.body === asked && !isWanted
    if (!isSame) await read(report)
    announce()
    await untilMarkable()
    // Elements may have been replaced meanwhile.
    const now = isSame ? report : reportPage()
    awaiting.look(now.texts)
    if (!answer || now.body !== asked) watch.soon()
    else if (tools() && !typist.isTyping()) show(now, answer)
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
    const now = answer?.document?.slug ?? location.pathname
    if (now === slug) return
    slug = now
    channel.announce(slug)
  }

  function show(report: PageReport, given: PlacesAnswer): void {
    const { isChanged, isHeld } = page.show(report, given)
    if (isHeld) askAgain()
    if (isChanged) tools()?.rendered()
    restore()
    watch.quietly(() => typist.resume(page.nodesOf))
  }
}

/** Resolves once a framework does not compare the page with its own any more. */
async function untilMarkable(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((loaded) => window.addEventListener('load', loaded, { once: true }))
  await untilHydrated()
}
