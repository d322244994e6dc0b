/** Content for tests: written by hand, and generated. */
export * from './content-by-chance.ts'
export * from './content-fixtures.ts'
