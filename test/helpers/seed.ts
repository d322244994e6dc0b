import { randomInt } from 'node:crypto'

/** The variable with the seed of the order of test files. */
export const seedVariable = 'TEST_SEED'

export const drawSeed = (): string => String(randomInt(1_000_000))

/** The seed of the order of test files: that of the variable, or a new one, which is printed. */
export function seed(): string {
  const given = process.env[seedVariable]
  if (given) return given
  const drawn = drawSeed()
  console.log(`The files run in the order of ${seedVariable}=${drawn}`)
  return drawn
}
