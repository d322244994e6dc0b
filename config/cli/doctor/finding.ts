/** A checked item of an installation. */
export interface Finding {
  readonly item: string
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence, with the remedy unless the state is `ok`. */
  readonly says: string
}

/** A finding whose item is named by the caller. */
export type CheckResult = Omit<Finding, 'item'>

export const ok = (says: string): CheckResult => ({ state: 'ok', says })
export const warn = (says: string): CheckResult => ({ state: 'warn', says })
export const unsafe = (says: string): CheckResult => ({ state: 'unsafe', says })
