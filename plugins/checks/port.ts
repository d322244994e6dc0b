import { service, slot } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { FixPlan } from './fix.ts'
import type { Rule } from './view/rule.ts'
import type { Report } from './schemas.ts'

/** Rules beside the built-in ones; `defineRule` makes them. */
export const contentRules = slot<Rule>('checks.rules')

/** What the rules find in drafts, for other plugins. */
export interface Checks {
  /** The findings of a draft, of one page where `slug` is given, without those that were dismissed. */
  report(id: DraftId, slug?: string): Promise<Report>
  /** The operations that put right what needs no text of a person, of at most 200 findings, and what each does in a few words. */
  fixes(id: DraftId, slug?: string): Promise<Pick<FixPlan, 'ops' | 'labels'>>
}

export const checks = service<Checks>('checks')

export { defineRule } from './view/rule.ts'
export { takesText, writes } from './view/finding.ts'
export type { Rule } from './view/rule.ts'
export type { Found, Fix, Severity, Write } from './view/finding.ts'
export type { Field } from './view/field.ts'
export type { BlockView, PageView } from './view/page-view.ts'
export type { SiteView } from './view/site-view.ts'
