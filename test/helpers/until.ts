import { setTimeout as pause } from 'node:timers/promises'

/** How long a test waits for what must happen, however busy the machine is. */
export const patienceMs = 60_000

/** Waits until a condition holds; throws when the patience of tests ends. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'a condition'): Promise<void> {
  const last = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > last) throw new Error(`timed out waiting for ${what}`)
    await pause(5)
  }
}
