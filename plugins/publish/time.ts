import * as v from 'valibot'

const form =
  /^(?<date>\d{4}-\d\d-\d\d)[T ](?<minutes>\d\d:\d\d)(?:(?<seconds>:\d\d)(?:[.,](?<fraction>\d+))?)? ?(?:Z|(?<hours>[+-]\d\d)(?::?(?<rest>\d\d))?)$/i

/** Reads a time of ISO 8601 with its zone, to the minute or finer; `undefined` if it does not exist. */
function readTime(text: string): Date | undefined {
  const {
    date = '',
    minutes,
    seconds = ':00',
    fraction = '0',
    hours,
    rest = '00',
  } = form.exec(text)?.groups ?? {}
  const time = new Date(`${date}T${minutes}${seconds}.${fraction}${hours ? `${hours}:${rest}` : 'Z'}`)
  // `Date` reads February 30 as March 2.
  const isDay = new Date(date).getUTCDate() === Number(date.slice(8))
  return isDay && !Number.isNaN(time.getTime()) ? time : undefined
}

/** A time as clients write it. */
export const Time = v.pipe(
  v.string(),
  v.check((text) => form.test(text), 'must be an ISO 8601 time with its zone, such as 2026-01-01T12:00Z'),
  v.transform(readTime),
  v.date('must be a time that exists'),
)
