import { gate, publicGate, type Gate, type Shape } from '../../kernel/index.ts'

/** Open to everyone on a server of its own; a website has an icon already. */
export const ownServerGate = gate('own-server')

/** Makes the gate of routes that only a server of its own has. */
export function createOwnServerGate(shape: Shape): Gate {
  if (shape === 'standalone') return publicGate
  return {
    mounting: () => ({ mount: false, because: 'a mount leaves it to its site' }),
    admit: publicGate.admit,
  }
}
