/** The state of one item of a checklist. */
export interface CheckResult {
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence; unless the state is `ok` it names the remedy. */
  readonly says: string
}

/** A finding with the name of its item. */
export type Finding = CheckResult & { readonly item: string }

export const ok = (says: string): CheckResult => ({ state: 'ok', says })
export const warn = (says: string): CheckResult => ({ state: 'warn', says })
export const unsafe = (says: string): CheckResult => ({ state: 'unsafe', says })
