/** What a page that carries no marks loads once an editor answers: its tools, typing, and what is awaited of the site. */
import type { ChosenPlace } from '../bridge/messages.ts'
import { openBridge, type OpenBridgeOptions } from '../bridge/open.ts'
import type { Typing } from '../bridge/typing.ts'
import { storedPath } from '../page.ts'
import { choose } from './ambiguous.ts'
import { createAwaiting } from './awaiting.ts'
import { textOf, type VisibleText } from './collect.ts'
import { explainTexts } from './notes.ts'
import type { PlacedPage } from './placed-page.ts'
import { restoreView } from './restore.ts'
import { holdReloads } from './stay.ts'
import { typingIn, type PlacedTyping } from './typing.ts'
import { createTypist } from './typist.ts'
import type { Watch } from './watch.ts'

interface EditingOptions {
  readonly bridge: OpenBridgeOptions
  readonly page: PlacedPage
  readonly watch: Watch
}

export type Editing = ReturnType<typeof openEditing>

/** Opens the tools of a page whose texts have places. */
export function openEditing({ bridge, page, watch }: EditingOptions) {
  const { send, signal } = bridge
  const typist = createTypist({
    tools: () => tools,
    page,
    left: ({ blockId, path }, value) => send('textLeft', { blockId, editablePath: storedPath(path), value }),
    signal,
  })
  let typing: PlacedTyping | undefined
  const awaiting = createAwaiting({
    notShown: ({ slug, blockId, file }) => send('notShown', { slug, blockId, file }),
    isTyping: typist.isTyping,
    signal,
  })
  const stay = holdReloads(typist.isHeld, signal)
  const tools = openBridge({ ...bridge, typingIn: typeIn, placeChosen })
  const restore = restoreView(tools, bridge)
  const notes = explainTexts({ tools, shown: page.shown, send, signal })

  /** Takes the place that the person has chosen for the text that they have clicked. */
  function placeChosen({ slug, blockId, path }: ChosenPlace): void {
    const index = notes.asked()
    if (index === undefined) return
    choose(page.shown(), index, { slug, blockId, path })
    notes.close()
    watch.now()
  }

  /** How a text is typed in: into its source, in the nodes that are there. */
  function typeIn(field: HTMLElement): Typing | undefined {
    const [place, nodes] = [page.placeOf(field), page.nodesOf(field)]
    if (!place || !nodes) return undefined
    const own = typingIn(field, nodes, place, awaiting.written)
    typing = own
    typist.started(field, nodes, own)
    stay()
    return {
      ...own,
      end(isRestored) {
        const isChanged = !isRestored && own.value() !== own.initial
        if (!isRestored && own.isRefused()) send('textRefused', { slug: place.slug, file: place.file })
        typing = undefined
        // Before what has changed until now is heard: the field is none any more.
        typist.ended()
        watch.quietly(() => own.end(isRestored))
        if (isChanged) awaiting.await(place, textOf(field, nodes))
        watch.now()
      },
    }
  }

  return {
    tools,
    isTyping: typist.isTyping,
    isTyped: awaiting.isTyped,
    /** Whether the site does not show yet what was typed. */
    isAwaiting: awaiting.isAwaiting,
    /** Called when something is typed in the page. */
    typed(): void {
      watch.quietly(() => typing?.gather())
      typist.note()
      // Of what is typed, the last that can be spelled stays.
      typing?.value()
    },
    /** Takes what the site has rendered. */
    rendered(records: readonly MutationRecord[]): void {
      awaiting.rendered(records)
      if (typist.isTyping()) page.markAgain()
      typist.rendered(records)
    },
    /** Looks for what is awaited among the texts of the page. */
    look: (texts: readonly VisibleText[]): void => awaiting.look(texts),
    /** Called after the page was marked. */
    marked(isChanged: boolean): void {
      if (isChanged) tools.rendered()
      restore()
      watch.quietly(typist.resume)
    },
  }
}
