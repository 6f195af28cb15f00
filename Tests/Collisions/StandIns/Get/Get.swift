// The public names at the top level of Get 2.2.1. What they are does not matter: a name is ambiguous by its spelling.

package enum APIClient {}
package enum APIClientDelegate {}
package enum APIError {}
package enum HTTPMethod {}
package enum Request {}
package enum Response {}
