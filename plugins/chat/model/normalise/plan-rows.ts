import { isPlainObject } from '../../../content/plain-object.ts'
import { operationName } from './names.ts'
import { without, type Loose } from './place.ts'

/** One thing that models write otherwise around their operations. */
export interface PlanRow {
  readonly name: string
  readonly apply: (plan: Loose) => Loose
}

const mostSuggestions = 5
const textKeys = ['change_log', 'suggested_next_actions']
const opNameKeys = ['op', 'operation', 'action', 'kind']

/** The rows for a plan, in the order in which they are applied. */
export const planRows: readonly PlanRow[] = [
  {
    name: 'operations under another name, or one without a list',
    apply(plan) {
      if (Array.isArray(plan['ops'])) return plan
      const { operations, ops } = plan
      if (Array.isArray(operations)) return { ...without(plan, 'operations'), ops: operations }
      if (isPlainObject(ops)) return { ...plan, ops: [ops] }
      if (isPlainObject(operations)) return { ...without(plan, 'operations'), ops: [operations] }
      const inline = opNameKeys.some((key) => operationName(plan[key]) !== undefined)
      return inline ? { ops: [without(plan, ...aroundKeys)], ...only(plan, aroundKeys) } : plan
    },
  },
  {
    name: 'a summary under its short name',
    apply(plan) {
      const { summary, summary_for_user } = plan
      return typeof summary === 'string' && typeof summary_for_user !== 'string' ? { ...without(plan, 'summary'), summary_for_user: summary } : plan
    },
  },
  {
    name: 'change log and suggestions as one text',
    apply(plan) {
      const lists = textKeys.flatMap((key) => (typeof plan[key] === 'string' ? [[key, linesOf(plan[key])]] : []))
      return lists.length === 0 ? plan : { ...plan, ...Object.fromEntries(lists) }
    },
  },
  {
    name: 'suggestions that nobody could send, or twice',
    apply(plan) {
      const given = plan['suggested_next_actions']
      if (!Array.isArray(given)) return plan
      const kept = new Set(given.filter(isSendable))
      return kept.size === given.length ? plan : { ...plan, suggested_next_actions: [...kept] }
    },
  },
  {
    name: 'more suggestions than are shown',
    apply(plan) {
      const suggestions = plan['suggested_next_actions']
      if (!Array.isArray(suggestions) || suggestions.length <= mostSuggestions) return plan
      return { ...plan, suggested_next_actions: suggestions.slice(0, mostSuggestions) }
    },
  },
  {
    name: 'no intent',
    apply(plan) {
      if (plan['intent'] !== undefined && plan['intent'] !== null) return plan
      const { ops } = plan
      return { ...plan, intent: Array.isArray(ops) && ops.length > 0 ? 'edit_plan' : 'needs_clarification' }
    },
  },
  {
    name: 'no change log',
    apply(plan) {
      return Array.isArray(plan['change_log']) ? plan : { ...plan, change_log: [] }
    },
  },
]

/** What no plan can do: somebody who sent it would get a refusal. */
const outOfReach = /\b(?:forms?|formulare?|analytics|tracking|pop-?ups?|checkout)\b|^(?:go to|open|visit|navigate to|öffne|gehe zu)\b/i
const isSendable = (each: unknown): boolean => typeof each === 'string' && each.trim() !== '' && !outOfReach.test(each)

const aroundKeys = ['intent', 'summary', 'summary_for_user', 'change_log', 'suggested_next_actions']

const only = (object: Loose, names: readonly string[]): Loose =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))

const linesOf = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])[ \t]+/, '')).filter(Boolean)
