/** True only for identical types, which mutual assignability does not prove. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Does not compile unless both types are the same: `same<typeof value, Expected>(true)`. */
export declare function same<A, B>(proof: Same<A, B>): void
