/** How one item of a checklist stands, and what to do about it. */
export interface Finding {
  readonly item: string
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence; where the state is not `ok` it names the remedy. */
  readonly says: string
}

/** A finding before it is known under which item it goes. */
export type Judgement = Pick<Finding, 'state' | 'says'>

export const ok = (says: string): Judgement => ({ state: 'ok', says })
export const warn = (says: string): Judgement => ({ state: 'warn', says })
export const unsafe = (says: string): Judgement => ({ state: 'unsafe', says })
