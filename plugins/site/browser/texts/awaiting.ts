/** Texts that were typed, until the site shows them itself. */
import { renderedText } from '../../../content/rendered-text.ts'
import type { VisibleText } from './collect.ts'
import { recall, remember, type AwaitedText } from './memory.ts'
import { canRefresh, patienceMs, renderAgain, usualMs } from './render-again.ts'

interface AwaitingOptions {
  /** Called for a text that the page does not show, although it was loaded again. */
  readonly notShown: (text: AwaitedText) => void
  /** Whether the person types now, and the page must stay. */
  readonly isTyping: () => boolean
  readonly signal: AbortSignal
}

/**
 * Follows whether typed texts appear. What was typed stays in the nodes of the page until the site writes them; if it
 * does not, the page is asked to render again, then loaded again, and then the editor is informed.
 */
export function createAwaiting({ notShown, isTyping, signal }: AwaitingOptions) {
  /** Nodes with typed text that the site has not written since, with what they had. */
  const typed = new Map<Text, string>()
  let awaited: readonly AwaitedText[] = recall().awaited ?? []
  let since = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined

  const set = (next: readonly AwaitedText[]): void => {
    awaited = next
    remember({ awaited })
    clearTimeout(timer)
    if (next.length > 0) timer = setTimeout(pressOn, (recall().shownAfterMs ?? usualMs) + patienceMs)
  }

  const pressOn = (): void => {
    if (signal.aborted) return
    if (isTyping()) return void (timer = setTimeout(pressOn, usualMs))
    for (const [node, before] of typed) node.data = before
    typed.clear()
    const isReloaded = awaited.filter(({ step }) => step === 'reloaded')
    const left = awaited.filter(({ step }) => step !== 'reloaded')
    for (const text of isReloaded) notShown(text)
    const mayRefresh = canRefresh() && left.some(({ step }) => step === 'waits')
    set(left.map((text) => ({ ...text, step: mayRefresh ? 'refreshed' : 'reloaded' })))
    if (left.length === 0) return
    if (mayRefresh) renderAgain()
    else location.reload()
  }
  set(awaited)
  signal.addEventListener('abort', () => clearTimeout(timer))

  return {
    /** Called with a node that has typed text, and what it had. */
    written: (node: Text, before: string): void => void typed.set(node, typed.get(node) ?? before),
    /** Whether the text of a node is what was typed, and not yet what the site shows. */
    isTyped: (node: Text): boolean => typed.has(node),
    isAwaiting: (): boolean => awaited.length > 0,
    await({ slug, blockId, file, path }: Omit<AwaitedText, 'step' | 'text'>, shown: string): void {
      const others = awaited.filter((each) => each.blockId !== blockId || each.path !== path)
      since = performance.now()
      set([...others, { slug, blockId, file, path, text: renderedText(shown).text, step: 'waits' }])
    },
    /** Notes what the site has rendered. */
    rendered(records: readonly MutationRecord[]): void {
      for (const { type, target } of records) if (type === 'characterData') typed.delete(target as Text)
    },
    /** Looks for the texts on the page. */
    look(texts: readonly VisibleText[]): void {
      for (const node of typed.keys()) if (!node.isConnected) typed.delete(node)
      if (awaited.length === 0) return
      const shown = new Set(
        texts
          .filter(({ nodes }) => !nodes.some((node) => typed.has(node)))
          .map(({ text }) => renderedText(text).text),
      )
      const left = awaited.filter(({ text }) => !shown.has(text))
      if (left.length === awaited.length) return
      remember({ shownAfterMs: Math.round(performance.now() - since) })
      set(left)
    },
  }
}

export type Awaiting = ReturnType<typeof createAwaiting>
