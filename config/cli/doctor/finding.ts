/** The state of one item of a checklist. */
export interface Judgement {
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence; unless the state is `ok` it names the remedy. */
  readonly says: string
}

/** A judgement under the name of its item. */
export type Finding = Judgement & { readonly item: string }

export const ok = (says: string): Judgement => ({ state: 'ok', says })
export const warn = (says: string): Judgement => ({ state: 'warn', says })
export const unsafe = (says: string): Judgement => ({ state: 'unsafe', says })
