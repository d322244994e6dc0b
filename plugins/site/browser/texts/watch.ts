/** Follows what a framework does to a page. */

/** The pause after the last change, longer the more often nothing had changed. */
const [soonMs, longestMs] = [50, 800]

const observed = {
  childList: true,
  characterData: true,
  subtree: true,
  attributes: true,
  attributeFilter: [
    'class',
    'hidden',
    'open',
    'src',
    'contenteditable',
    'data-block-id',
    'data-editable-target',
    'data-editor-selection-mode',
  ],
}

interface WatchOptions {
  /** Called with what was rendered; it may change the page. */
  readonly rendered: (records: readonly MutationRecord[]) => void
  /** Called when something is typed in the page. */
  readonly typed: () => void
  /** Looks at the page after changes, one at a time; returns whether it was as before. */
  readonly look: () => Promise<boolean>
  readonly signal: AbortSignal
}

export function watchPage({ rendered, typed, look, signal }: WatchOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: Promise<void> | undefined
  let wait = soonMs
  /** Whether what changes now is typed: what the page hears of it first may run the observer before `input`. */
  let isInput = false

  const run = async (): Promise<void> => {
    const isSame = await look()
    wait = isSame ? Math.min(2 * wait, longestMs) : soonMs
    current = undefined
  }
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (current) return soon()
      current = run()
    }, wait)
  }
  const hear = (records: readonly MutationRecord[]): void => {
    if (records.length === 0 || isInput) return
    rendered(records)
    observer.takeRecords()
    soon()
  }
  const observer = new MutationObserver(hear)
  observer.observe(document.documentElement, observed)
  const beforeInput = (): void => {
    hear(observer.takeRecords())
    isInput = true
    // One that is cancelled has no `input`.
    setTimeout(() => (isInput = false))
  }
  const input = (): void => {
    // Typing is not a rendering.
    observer.takeRecords()
    isInput = false
    typed()
  }
  window.addEventListener('beforeinput', beforeInput, { capture: true, signal })
  window.addEventListener('input', input, { capture: true, signal })
  signal.addEventListener('abort', () => observer.disconnect())

  return {
    soon,
    /** Looks soon, however often nothing had changed. */
    now(): void {
      wait = soonMs
      soon()
    },
    /** Changes the page without following it. */
    quietly(work: () => void): void {
      hear(observer.takeRecords())
      work()
      observer.takeRecords()
    },
  }
}

export type Watch = ReturnType<typeof watchPage>
