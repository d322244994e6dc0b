/** What a model takes of what a call can ask for. */
export interface Traits {
  /** How it is let think: as long as it finds right, up to a number of tokens, or not at all. */
  readonly thinking: 'adaptive' | 'budget' | 'none'
  /** What stops it from thinking; `undefined` where nothing has to, or nothing can. */
  readonly stop?: 'disabled' | 'between_tools'
  /** A tool may be forced on it while it does not think. */
  readonly isForcible: boolean
  /** It may be held to the schema of a tool. */
  readonly isStrict: boolean
  /** It takes a temperature while it does not think. */
  readonly isTempered?: true
}

const byBudget: Traits = { thinking: 'budget', isForcible: true, isStrict: true, isTempered: true }
const adaptive: Traits = { thinking: 'adaptive', stop: 'disabled', isForcible: true, isStrict: true }
const newest: Traits = { thinking: 'adaptive', isForcible: false, isStrict: true }
/** Models of others, behind gateways that speak the same protocol. */
const foreign: Traits = { thinking: 'none', isForcible: true, isStrict: false, isTempered: true }

/** By the beginning of the name, as https://platform.claude.com/docs/en/build-with-claude/thinking had it in November 2026. */
const traitsByPrefix: Readonly<Record<string, Traits>> = {
  'claude-': newest,
  'claude-3': { ...byBudget, isStrict: false },
  'claude-haiku-4': byBudget,
  'claude-haiku-5': adaptive,
  'claude-sonnet-4': byBudget,
  'claude-sonnet-4-6': { ...adaptive, isTempered: true },
  'claude-sonnet-5': adaptive,
  'claude-sonnet-5-5': { ...newest, stop: 'between_tools' },
  'claude-opus-4': byBudget,
  'claude-opus-4-6': { ...adaptive, isTempered: true },
  'claude-opus-4-7': adaptive,
  'claude-opus-4-8': adaptive,
  'claude-opus-5': adaptive,
  'claude-opus-5-5': newest,
}

/** What a model takes; a gateway may write its own name before that of the model. */
export function traitsOf(model: string): Traits {
  const name = model.slice(Math.max(0, model.indexOf('claude-')))
  const [longest] = Object.keys(traitsByPrefix).filter((prefix) => name.startsWith(prefix)).toSorted((a, b) => b.length - a.length)
  return traitsByPrefix[longest ?? ''] ?? foreign
}
