import type { Finding } from '../../../plugins/health/port.ts'

export type { Finding } from '../../../plugins/health/port.ts'

/** A finding whose item is named by the caller. */
export type CheckResult = Omit<Finding, 'item'>

export const ok = (says: string): CheckResult => ({ state: 'ok', says })
export const warn = (says: string): CheckResult => ({ state: 'warn', says })
export const unsafe = (says: string): CheckResult => ({ state: 'unsafe', says })
