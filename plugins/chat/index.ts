import { chatPlugin } from './plugin.ts'

/** Chat. Its grammar is loaded by the first message: nobody waits for it at a start. */
export default chatPlugin(async () => (await import('./rules/index.ts')).rules)
