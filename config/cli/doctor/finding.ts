/** The state of a checklist item. */
export interface CheckResult {
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence, with the remedy unless the state is `ok`. */
  readonly says: string
}

/** A result with the name of its item. */
export type Finding = CheckResult & { readonly item: string }

export const ok = (says: string): CheckResult => ({ state: 'ok', says })
export const warn = (says: string): CheckResult => ({ state: 'warn', says })
export const unsafe = (says: string): CheckResult => ({ state: 'unsafe', says })
