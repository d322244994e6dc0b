import { effect, signal, type Signal } from '@preact/signals'

/** A choice of the person that this browser remembers; anything else that is stored there counts as the first one. */
export function remembered<const T extends string>(name: string, choices: readonly [T, ...T[]]): Signal<T> {
  const key = `content-orchestrator:${name}`
  const stored = localStorage.getItem(key)
  const first = choices.find((choice) => choice === stored) ?? choices[0]
  const chosen = signal<T>(first)
  effect(() => {
    if (chosen.value !== first || localStorage.getItem(key) !== null) localStorage.setItem(key, chosen.value)
  })
  return chosen
}
