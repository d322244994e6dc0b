/** What a page that carries no marks runs before anything else: a person may type on while it is loaded again. */
import { heldKeys, holdKeys } from './held-keys.ts'
import { isReloaded, recall } from './memory.ts'

/** How long an editor may take to answer. */
const patienceMs = 15_000

if (window.parent !== window && isReloaded() && recall().caret) {
  holdKeys()
  const { keys } = heldKeys()
  setTimeout(() => {
    if (heldKeys().keys === keys) heldKeys().keys = undefined
  }, patienceMs)
}
