import { service, slot } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import type { FixPlan } from './fix.ts'
import type { Rule } from './view/rule.ts'
import type { Report } from './schemas.ts'

/** Rules besides the built-in ones, declared with `defineRule`. */
export const contentRules = slot<Rule>('checks.rules')

/** The findings of drafts, for other plugins. */
export interface Checks {
  /** Returns the findings of a draft or, with `slug`, of one page, without dismissed ones. */
  report(id: DraftId, slug?: string): Promise<Report>
  /** Returns the operations that fix up to 200 findings without user input, each with a short label. */
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
