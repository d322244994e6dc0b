/** What outlives a reload of the page, by its path. */

/** A text that was typed, and is awaited on the page. */
export interface AwaitedText {
  readonly slug: string
  readonly blockId: string
  readonly file: string
  readonly path: string
  /** As the page shows it, normalised. */
  readonly text: string
  /** How the page was asked to show it. */
  readonly step: 'waits' | 'refreshed' | 'reloaded'
}

/** What the person was typing. */
export interface Caret {
  readonly blockId: string
  readonly path: string
  /** The line of its value: the items of a list are one. */
  readonly line: number
  /** The texts while the person typed, from the one before to the one that stood there last. */
  readonly seen: readonly string[]
  /** What each text node had. */
  readonly texts: readonly string[]
  readonly node: number
  readonly offset: number
}

interface Memory {
  readonly scroll?: number
  readonly selected?: { readonly blockId: string; readonly path: string | undefined } | undefined
  readonly caret?: Caret | undefined
  /** The keys that were pressed since, and wait for the text. */
  readonly keys?: readonly string[] | undefined
  readonly awaited?: readonly AwaitedText[]
  /** The places that the person has chosen for texts that are at several, by text. */
  readonly chosen?: Readonly<Record<string, string>>
  /** How long the site took to show a text last, in milliseconds. */
  readonly shownAfterMs?: number
}

/** Whether the document is there because the page was loaded again. */
export const isReloaded = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => entry.toJSON().type === 'reload')

const key = (): string => `editor:texts ${location.pathname}`

/** Reads what was remembered; a browser may refuse storage to frames of another site. */
export function recall(): Memory {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? '{}')
  } catch {
    return {}
  }
}

export function remember(change: Memory): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify({ ...recall(), ...change }))
  } catch {
    // Without storage a reload loses it.
  }
}
