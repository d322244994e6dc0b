import { chatPlugin } from './plugin.ts'

/** Chat. Its grammar is loaded by the first message: no start waits for it. */
export default chatPlugin(async () => (await import('../chat-rules/index.ts')).loadedRules())
