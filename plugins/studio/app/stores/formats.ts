/** Times and numbers as the language of the browser writes them; the sentences around them are English. */

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const fullDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export const { timeZone } = moment.resolvedOptions()

/** A day with its time. */
export const momentOf = (iso: string): string => moment.format(new Date(iso))
/** A day with its weekday. */
export const fullDateOf = (iso: string): string => fullDate.format(new Date(iso))
export const dateOf = (iso: string): string => date.format(new Date(iso))
export const clockOf = (iso: string): string => clock.format(new Date(iso))

const isToday = (iso: string): boolean => new Date(iso).toDateString() === new Date().toDateString()
/** A time; one of today without its day. */
export const recentOf = (iso: string): string => (isToday(iso) ? clockOf(iso) : momentOf(iso))
/** When something was, within a sentence: `at 12:25` of today, `on 3 May 2026, 12:25` of other days. */
export const whenOf = (iso: string): string => `${isToday(iso) ? 'at' : 'on'} ${recentOf(iso)}`

/** The time of an hour and the name of a day, as a chart has them. */
export const chartTimes = {
  hour: new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
} as const

const number = new Intl.NumberFormat()
const megabytes = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const currency = { style: 'currency', currency: 'USD' } as const
const exact = new Intl.NumberFormat(undefined, { ...currency, maximumFractionDigits: 4 })
const rounded = new Intl.NumberFormat(undefined, { ...currency, maximumSignificantDigits: 2 })

export const numberOf = (value: number): string => number.format(value)
export const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${numberOf(Math.ceil(bytes / 1e3))} KB` : `${megabytes.format(bytes / 1e6)} MB`
export const dollarsOf = (usd: number): string => exact.format(usd)
/** An amount of money to two digits that count. */
export const aboutDollars = (usd: number): string => rounded.format(usd)
