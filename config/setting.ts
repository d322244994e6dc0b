import * as v from 'valibot'

/** A value in effect, and what set it. */
export interface Setting<T> {
  readonly value: T
  readonly source: 'flag' | 'environment' | 'file' | 'default'
  /** The flag, variable or key that set it; of a default the variable that would. */
  readonly by: string
}

/** A name and the text that stands under it; undefined where nothing does. */
type Candidate = readonly [name: string, text: string | undefined]

/** Where one setting may come from; the first that is set counts. */
export interface Candidates<T> {
  readonly flag?: Candidate
  readonly variable: Candidate
  readonly file?: Candidate
  readonly otherwise: T
}

/** Decides one setting. A text that cannot be used is put among the problems, also where another one wins. */
export function decide<T>(
  schema: v.GenericSchema<string, T>,
  { flag, variable, file, otherwise }: Candidates<T>,
  problems: string[],
): Setting<T> {
  const settings: Setting<T>[] = []
  const consider = (source: Setting<T>['source'], by: string, text: string | undefined, where = ''): void => {
    if (text === undefined) return
    const parsed = v.safeParse(schema, text.trim())
    if (parsed.success) settings.push({ value: parsed.output, source, by })
    else problems.push(`${by}${where}: ${parsed.issues[0].message}`)
  }
  if (flag) consider('flag', `--${flag[0]}`, flag[1])
  consider('environment', ...variable)
  if (file) consider('file', ...file, ' of the configuration file')
  return settings[0] ?? { value: otherwise, source: 'default', by: variable[0] }
}
