// Simulated annealing for the starters of a group; benchmarks/starters.py compiles and calls it.
//
//     starters LEVELS COLUMNS STRENGTH STARTERS SEED SECONDS < elements
//
// Standard input has the class of every combination (a set of columns in lexicographic order, then its values as a number in base
// LEVELS), and -1 for one that need not be covered. The starters found are printed, one row per line.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

using Numbers = std::vector<int>;

static uint64_t state;

static uint64_t draw() {  // splitmix64
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static double uniform() { return static_cast<double>(draw() >> 11) / 9007199254740992.0; }

static double seconds_used() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

const double HOT = 0.9, COLD = 0.12;  // in classes that a move may lose
const long FIRST = 200000;            // moves of the first two coolings; every two later ones have twice as many
const int LONGEST = 9;                // doublings

int main(int count, char **given) {
    if (count != 7) return 2;
    const int levels = std::atoi(given[1]), columns = std::atoi(given[2]), strength = std::atoi(given[3]);
    const int starters = std::atoi(given[4]);
    state = std::strtoull(given[5], nullptr, 10);
    const double limit = std::atof(given[6]);

    std::vector<Numbers> sets;
    Numbers chosen;
    std::function<void(int)> choose = [&](int from) {
        if (static_cast<int>(chosen.size()) == strength) return sets.push_back(chosen);
        for (int column = from; column < columns; column++) {
            chosen.push_back(column);
            choose(column + 1);
            chosen.pop_back();
        }
    };
    choose(0);
    int each = 1;
    for (int i = 0; i < strength; i++) each *= levels;
    Numbers class_of(sets.size() * each);
    int classes = 0;
    for (int &number : class_of) {
        if (std::scanf("%d", &number) != 1) return 2;
        classes = std::max(classes, number + 1);
    }
    for (int &number : class_of)  // what need not be covered shares one more class, which is covered from the beginning
        if (number < 0) number = classes;

    // the sets that a column is in, and how much its value counts there
    std::vector<std::vector<std::pair<int, int>>> touching(columns);
    for (size_t set = 0; set < sets.size(); set++)
        for (int place = strength - 1, weight = 1; place >= 0; place--, weight *= levels)
            touching[sets[set][place]].push_back({static_cast<int>(set), weight});

    std::vector<Numbers> rows(starters, Numbers(columns)), held(starters, Numbers(sets.size()));
    for (int round = 0;; round++) {
        Numbers times(classes + 1, 0);
        times[classes] = 1 << 28;
        for (int line = 0; line < starters; line++) {
            for (int &value : rows[line]) value = draw() % levels;
            for (size_t set = 0; set < sets.size(); set++) {
                int number = 0;
                for (int column : sets[set]) number = number * levels + rows[line][column];
                held[line][set] = static_cast<int>(set) * each + number;
                times[class_of[held[line][set]]]++;
            }
        }
        long missing = std::count(times.begin(), times.end(), 0);
        const long moves = FIRST << std::min(round / 2, LONGEST);
        const double cooling = std::pow(COLD / HOT, 1.0 / moves);
        double temperature = HOT;
        for (long move = 0; move < moves && missing; move++, temperature *= cooling) {
            const int line = draw() % starters, column = draw() % columns, old = rows[line][column];
            const int step = (old + 1 + static_cast<int>(draw() % (levels - 1))) % levels - old;
            Numbers &own = held[line];
            int worse = 0;
            for (auto [set, weight] : touching[column]) {
                worse += --times[class_of[own[set]]] == 0;
                worse -= times[class_of[own[set] + step * weight]]++ == 0;
            }
            if (worse <= 0 || uniform() < std::exp(-worse / temperature)) {
                rows[line][column] += step;
                for (auto [set, weight] : touching[column]) own[set] += step * weight;
                missing += worse;
            } else {
                for (auto [set, weight] : touching[column]) {
                    times[class_of[own[set]]]++;
                    times[class_of[own[set] + step * weight]]--;
                }
            }
            if (move % 4096 == 0 && seconds_used() > limit) return 1;
        }
        if (!missing) break;
    }
    for (const Numbers &row : rows) {
        for (int value : row) std::printf("%d", value);
        std::puts("");
    }
    return 0;
}
