// The public names at the top level of swift-clocks 1.0.6. What they are does not matter: a name is ambiguous by its spelling.

package enum AnyClock {}
package enum ImmediateClock {}
package enum SuspensionError {}
package enum TestClock {}
package enum UnimplementedClock {}
