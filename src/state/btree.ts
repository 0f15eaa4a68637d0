// The one place that knows how sorted-btree is packaged: CommonJS, whose exports object Node hands over as the default import,
// while bundlers and test runners unwrap the class.
import loaded from 'sorted-btree';

export const BTree = ('default' in loaded ? loaded.default : loaded) as typeof loaded.default;
export type Tree<Key, Value> = InstanceType<typeof BTree<Key, Value>>;
