import type { Meter } from './port.ts'

/** Counts events by a word that each of them carries, one of few. */
export function createEventCounts({ name, help, label }: { readonly name: string; readonly help: string; readonly label: string }): { add(word: string): void; readonly meter: Meter } {
  const counts = new Map<string, number>()
  return {
    add: (word) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    meter: { name, help, kind: 'counter', labels: [label], read: () => [...counts].map(([word, value]) => ({ labels: { [label]: word }, value })) },
  }
}
