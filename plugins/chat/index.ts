import { chatPlugin } from './plugin.ts'
import { noRules } from './rules.ts'

/** Chat, as it is loaded. */
export default chatPlugin(noRules)
