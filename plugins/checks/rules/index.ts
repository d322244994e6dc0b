import * as v from 'valibot'
import { severities } from '../view/finding.ts'
import type { Rule } from '../view/rule.ts'
import { a11yRules } from './a11y.ts'
import { contentRules } from './content.ts'
import { deadLink, linkRules } from './links.ts'
import { mediaRules } from './media.ts'
import { pageRules, siteRules } from './pages.ts'
import { seoRules } from './seo.ts'

/** The built-in rules, in listing order. */
export const builtinRules: readonly Rule[] = [
  ...a11yRules,
  ...contentRules,
  ...linkRules,
  deadLink,
  ...pageRules,
  ...seoRules,
  ...mediaRules,
  ...siteRules,
]

const RuleSetting = v.strictObject({
  severity: v.optional(v.picklist(severities)),
  off: v.optional(v.boolean()),
  params: v.optional(v.record(v.string(), v.union([v.number(), v.array(v.string())]))),
})

/** Settings by rule id. */
type RuleSettings = Readonly<Record<string, v.InferOutput<typeof RuleSetting>>>

export const ChecksVariables = v.object({
  CHECKS_CONFIG: v.pipe(
    v.optional(
      v.pipe(v.string(), v.parseJson(undefined, 'must be JSON'), v.record(v.string(), RuleSetting)),
      '{}',
    ),
    v.description(
      'Settings by rule id: `severity`, `off: true` and `params`, such as `{"seo.title-length":{"params":{"max":65}}}`.',
    ),
  ),
  CHECKS_BLOCK_PUBLISH: v.pipe(
    v.optional(v.string()),
    v.description('`1` refuses to publish a draft with errors that are not dismissed.'),
  ),
})

/** Returns the enabled rules with their settings. Ignores unknown or mistyped settings, and calls `warn`. */
export function toActiveRules(
  rules: readonly Rule[],
  settings: RuleSettings,
  warn: (setting: string) => void,
): readonly Rule[] {
  const ids = new Set(rules.map(({ id }) => id))
  for (const id of Object.keys(settings)) if (!ids.has(id)) warn(id)
  return rules.flatMap((rule) => {
    const { off, severity = rule.severity, params = {} } = settings[rule.id] ?? {}
    const usable = Object.entries(params).filter(([name, value]) => {
      const own = Object.hasOwn(rule.params, name) && typeof rule.params[name] === typeof value
      if (!own) warn(`${rule.id} params.${name}`)
      return own
    })
    return off ? [] : [{ ...rule, severity, params: { ...rule.params, ...Object.fromEntries(usable) } }]
  })
}
